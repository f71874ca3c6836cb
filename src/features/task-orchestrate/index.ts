import { z } from "zod";
import { defineCapability, field, mesh, usd } from "../../core/catalog/define.ts";

const TASK_CHARS = 8_000;
const TOOLS = 100;
const TOOL_CHARS = 500;
/** Of the context as JSON. */
const CONTEXT_CHARS = 50_000;

const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= CONTEXT_CHARS;

/** One step of a plan: a tool that was given, what it is to do, and the earlier steps that it waits for. */
export const orchestrateStep = z.object({
  step: z.int().min(1),
  tool: z.string(),
  action: z.string(),
  input: z.record(z.string(), z.unknown()).describe("What the tool is called with."),
  dependsOn: z
    .array(z.int().min(1))
    .describe("The steps that must be done before; all of them are earlier ones."),
});
export type OrchestrateStep = z.output<typeof orchestrateStep>;

/** Plans a task as steps for the tools that the caller has, and for no others. */
export default defineCapability({
  slug: "task-orchestrate",
  version: "1.0.0",
  name: "Task orchestration",
  category: "productivity",
  summary:
    "Plans a task as numbered steps for the tools that you have: what each is to do, with which input, and what it " +
    "waits for. No step uses a tool that was not given. With use_memory, what your account has stored helps.",
  offers: [
    { surface: "marketplace", price: mesh(3) },
    { surface: "tool-api", route: { method: "POST", path: "/v1/orchestrate" }, price: usd("0.003") },
  ],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    task: z.string().min(1).max(TASK_CHARS).register(field, { trim: true }).describe("What is to be done."),
    tools: z
      .array(z.string().max(TOOL_CHARS).regex(/\S/, "A tool has a name."))
      .min(1)
      .max(TOOLS)
      .describe(
        "The tools that there are: names, or names with a description. Steps repeat them as they are.",
      ),
    context: z
      .record(z.string(), z.unknown())
      .refine(isSmall, `Over ${CONTEXT_CHARS} characters as JSON.`)
      .optional()
      .describe("What is known about the task."),
    use_memory: z
      .boolean()
      .optional()
      .describe("Whether what the account has stored may be looked at while planning. Nothing is written."),
  }),
  output: z.object({
    plan: z.array(orchestrateStep).min(1),
    summary: z.string(),
    estimated: z.number().min(0).describe("How many minutes the plan takes, one step after the other."),
    model: z.string(),
  }),
});
