import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

const QUESTION_CHARS = 8_000;

/** Teaches how something is done with an agent that drives a browser. */
export default defineCapability({
  slug: "browser-agent-101",
  version: "1.0.0",
  name: "Browser agent 101",
  category: "education",
  summary:
    "Explains how an agent that drives a browser does something: the idea, the steps in order, and what goes wrong. " +
    "It teaches; it opens no page itself.",
  offers: [{ surface: "marketplace", price: mesh(2) }],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    question: z
      .string()
      .min(1)
      .max(QUESTION_CHARS)
      .register(field, { aliases: ["topic", "scenario", "text"], trim: true })
      .describe("What you want a browser agent to do, or to know about it."),
  }),
  output: z.object({
    answer: z.string(),
    steps: z.array(z.string()).min(1).describe("What to do, in order."),
    pitfalls: z.array(z.string()).min(1).describe("What goes wrong, and what helps."),
    model: z.string(),
  }),
});
