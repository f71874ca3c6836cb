import { z } from "zod";
import { boundedText } from "../../core/catalog/bounded-text.ts";
import { defineCapability, field, mesh, usd } from "../../core/catalog/define.ts";

/** In code points. */
const CONTEXT_LIMIT = 8_000;
const GOAL_LIMIT = 8_000;
const CONSTRAINT_LIMIT = 2_000;
const CONSTRAINTS_LIMIT = 50;

/** Recommends what to do about a business question, with its reasons. */
export default defineCapability({
  slug: "biz-analyze",
  version: "1.0.0",
  name: "Business analysis",
  category: "business",
  summary:
    "Weighs a business situation against a goal and its constraints: one recommendation, the reasoning and the " +
    "arithmetic behind it, the next actions, and how sure it is.",
  offers: [
    { surface: "marketplace", price: mesh(2) },
    { surface: "tool-api", route: { method: "POST", path: "/v1/analyze" }, price: usd("0.002") },
  ],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    context: boundedText(1, CONTEXT_LIMIT)
      .register(field, { trim: true })
      .describe("The situation, with its figures and options; a longer text is refused, not cut."),
    goal: boundedText(0, GOAL_LIMIT)
      .optional()
      .register(field, { trim: true })
      .describe("What is to be reached."),
    constraints: z
      .array(boundedText(0, CONSTRAINT_LIMIT))
      .max(CONSTRAINTS_LIMIT)
      .optional()
      .describe("What the recommendation must keep to."),
  }),
  output: z.object({
    recommendation: z.string(),
    reasoning: z.string(),
    actions: z.array(z.string()).describe("What to do next, the first thing first."),
    confidence: z.number().min(0).max(1),
    model: z.string(),
  }),
});
