import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

const CLAIM_CHARS = 8_000;
const CODE_CHARS = 100_000;

/** Tries to refute one claim, and says what was tried. */
export default defineCapability({
  slug: "refutation-pass",
  version: "1.0.0",
  name: "Refutation pass",
  category: "reasoning",
  summary:
    "Tries to break one claim, about numbers, code or anything else, and gives a counterexample or the list of what " +
    "was tried in vain. A claim counts as refuted only with a counterexample.",
  offers: [{ surface: "marketplace", price: mesh(8) }],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 4_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    claim: z
      .string()
      .min(1)
      .max(CLAIM_CHARS)
      .register(field, { aliases: ["assertion", "invariant"], trim: true })
      .describe("One claim."),
    code: z.string().max(CODE_CHARS).optional().describe("Code that the claim is about."),
  }),
  output: z.object({
    claim: z.string(),
    refuted: z.boolean(),
    counterexample: z
      .string()
      .nullable()
      .describe("Where the claim fails; null exactly where it is not refuted."),
    attempts: z.array(z.string()).min(1).describe("What was tried, in order."),
    confidence: z.number().min(0).max(1).describe("How sure the verdict is, 0 to 1."),
    model: z.string(),
  }),
});
