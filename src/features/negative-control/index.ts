import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

const FIX_CHARS = 100_000;
const CONTEXT_CHARS = 20_000;

/** Finds what a test must assert so that it fails without the fix, and the smallest revert that shows it. */
export default defineCapability({
  slug: "negative-control",
  version: "1.0.0",
  name: "Negative control",
  category: "devtools",
  summary:
    "For a fix, given as a unified diff or as code: an assertion that holds with it and fails without it, the " +
    "smallest revert (of a diff always its exact inverse), and whether the assertion was found to depend on what " +
    "the revert changes. Nothing is executed.",
  offers: [{ surface: "marketplace", price: mesh(5) }],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    fix: z
      .string()
      .min(1)
      .max(FIX_CHARS)
      .regex(/\S/, "The fix is empty.")
      // White space at the ends belongs to a diff.
      .register(field, { aliases: ["patch", "diff", "code"], trim: false })
      .describe("The fix: a unified diff, or the fixed code."),
    context: z.string().max(CONTEXT_CHARS).optional().describe("What was wrong, or what the fix is for."),
  }),
  output: z.object({
    assertion: z.string().describe("What holds with the fix and fails without it."),
    minimal_revert: z.string().describe("Of a diff its inverse; of code a diff or the code without the fix."),
    confirmed_non_vacuous: z.object({
      how: z.string().describe("What was checked, or why nothing could be."),
      confirmed: z.boolean(),
    }),
    model: z.string(),
  }),
});
