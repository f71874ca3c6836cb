import { z } from "zod";
import { defineCapability, field, mesh, Refusal } from "../../../core/catalog/define.ts";

const TRADE_CHARS = 200;

/** Gives the words of a trade: what its callers, its appointments and its people are called, and what to ask first. */
export default defineCapability({
  slug: "industry-vocabulary",
  version: "1.0.0",
  name: "Industry vocabulary",
  category: "business",
  summary:
    "Names a trade's caller, appointment and provider in its own words, with the questions that qualify a caller. " +
    "Understands synonyms, plurals and typing errors; a trade it does not know gets general terms and says so.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "inline",
  timeoutMs: 1_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 20, sideEffects: [] },
  input: z.object({
    trade: z
      .string()
      .min(1)
      .register(field, {
        aliases: ["industry", "business", "query", "text", "input"],
        truncateAt: TRADE_CHARS,
      })
      .describe("The trade, as its people or its customers would name it."),
  }),
  output: z.object({
    trade: z.string().describe("The trade as it was understood: trimmed and cut to its length."),
    matched: z.boolean().describe("Whether a known vertical fits; false means general terms."),
    vertical: z.string().describe("The vertical's name, or general."),
    terms: z.object({ caller: z.string(), appointment: z.string(), provider: z.string() }),
    qualifying_questions: z.array(z.string()),
  }),
  onInvalid: (_issues, { trade }) =>
    trade === undefined || (typeof trade === "string" && trade.trim() === "")
      ? new Refusal("trade_required", null)
      : undefined,
});
