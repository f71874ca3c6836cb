import { z } from "zod";
import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

/** In code points. */
const TASK_LIMIT = 4_000;

export const VERDICTS = ["go", "caution", "no-go"] as const;

/** What is given as a task that is no text: its JSON. Texts are trimmed and cut by the field's rules already. */
const asText = (task: unknown): unknown =>
  typeof task === "string" || task === undefined ? task : cutCodePoints(JSON.stringify(task), TASK_LIMIT);

/** Takes a task apart before somebody starts with it. */
export default defineCapability({
  slug: "task-analysis",
  version: "1.0.0",
  name: "Task analysis",
  category: "reasoning",
  summary:
    "Breaks a task into steps, names its risks, and says whether to go, to go with caution, or not to.",
  offers: [{ surface: "marketplace", price: mesh(5) }],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    task: z
      .preprocess(asText, z.string().min(1))
      .meta({ type: "string", minLength: 1 })
      .describe("What is to be done. What is no text is taken as its JSON.")
      .register(field, { aliases: ["text", "input"], truncateAt: TASK_LIMIT }),
  }),
  output: z.object({
    analysis: z.object({
      summary: z.string(),
      steps: z.array(z.string()).describe("In the order to do them."),
      risks: z.array(z.string()).describe("The gravest first."),
      verdict: z.enum(VERDICTS),
    }),
    model: z.string(),
  }),
});
