import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

const MESSAGE_CHARS = 1_000_000;

/** Says whether a message waits for a person's answer. */
export default defineCapability({
  slug: "mail-triage",
  version: "1.0.0",
  name: "Mail triage",
  category: "productivity",
  summary:
    "Says whether a message waits for a person's answer, by which rule, and why in a sentence. Reads the fields that " +
    "are given or a whole raw mail. Newsletters, receipts, bots and lists are blue; a person who expects an answer is red.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "inline",
  inlineBytes: 2_048,
  timeoutMs: 1_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 100, sideEffects: [] },
  input: z.object({
    subject: z.string().optional(),
    body: z.string().optional(),
    from: z.string().optional(),
    listUnsub: z
      .string()
      .optional()
      .register(field, { aliases: ["list_unsubscribe"] })
      .describe("The List-Unsubscribe header."),
    precedence: z.string().optional().describe("The Precedence header."),
    autoSubmitted: z
      .string()
      .optional()
      .register(field, { aliases: ["auto_submitted"] })
      .describe("The Auto-Submitted header."),
    message: z
      .string()
      .optional()
      .register(field, { aliases: ["text", "email", "raw"], truncateAt: MESSAGE_CHARS, trim: false })
      .describe("A whole raw mail; a field that is given goes before what is read here."),
  }),
  output: z.object({
    lane: z.enum(["red", "blue"]).describe("Red exactly when somebody waits."),
    waiting: z.boolean(),
    rule: z.string().describe("The name of the rule that decided."),
    summary: z.string().describe("Why, in one sentence."),
  }),
});
