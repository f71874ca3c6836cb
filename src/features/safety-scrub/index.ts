import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";
import { KINDS } from "./kinds.ts";

/** Takes secrets and personal numbers out of a text, each replaced by a marker that names its kind. */
export default defineCapability({
  slug: "safety-scrub",
  version: "1.0.0",
  name: "Safety scrub",
  category: "safety",
  summary:
    "Hides payment cards, national identity numbers, API keys and tokens, JSON Web Tokens and PEM private keys in a " +
    "text. Numbers are checked by their checksums, so an order number stays. Text that was scrubbed before comes " +
    "back as it is.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "inline",
  inlineBytes: 8_192,
  timeoutMs: 1_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 200, sideEffects: [] },
  input: z.object({
    text: z
      .string()
      .min(1)
      .register(field, { aliases: ["content", "input"], trim: false })
      .describe("The text to clean; it is not trimmed or changed otherwise."),
  }),
  output: z.object({
    scrubbed: z.string().describe("The text with a marker such as [REDACTED-CARD] in place of each finding."),
    redacted: z.boolean().describe("Whether anything was replaced."),
    kinds: z.array(z.enum(KINDS)).describe("What was replaced, each kind once."),
  }),
});
