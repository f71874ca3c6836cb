import { z } from "zod";
import { field } from "../../core/catalog/define.ts";

const QUESTION_CHARS = 4_000;

/** What agent-brain and agent-brain-smart are asked. */
export const brainInput = z.object({
  think: z
    .string()
    .min(1)
    .register(field, { aliases: ["question", "task", "input"], truncateAt: QUESTION_CHARS })
    .describe("What to think about: a question, a task, or something to take note of."),
  character: z
    .string()
    .optional()
    .register(field, { aliases: ["as", "npc"], trim: true })
    .describe("As whom: recalls and remembers apart from the account's other characters, by its slug."),
});

/** What both answer. */
export const brainOutput = z.object({
  answer: z.string(),
  reasoning: z.string(),
  confidence: z.number().min(0).max(1),
  memories_considered: z.int(),
  used_memories: z.array(z.object({ id: z.string(), content: z.string() })),
  learned: z.array(z.string()),
  model: z.string(),
  engine: z.enum(["semantic", "local"]),
});

export type BrainInput = z.output<typeof brainInput>;
export type BrainOutput = z.output<typeof brainOutput>;
