import { z } from "zod";
import { defineCapability, field, mesh, Refusal } from "../../../core/catalog/define.ts";

const NAME_CHARS = 60;

/** Makes a page that receives a business's visitors: greeting, the questions of its trade, a form for leads. */
export default defineCapability({
  slug: "instant-receptionist",
  version: "1.0.0",
  name: "Instant receptionist",
  category: "business",
  summary:
    "Puts up a live reception page for a business: greeting and qualifying questions of its trade, its name and a colour " +
    "of its own, and a form whose answers are kept for the account (GET /api/receptionists/{slug}/leads). Ten trades are " +
    "built in; any other gets a general reception.",
  offers: [{ surface: "marketplace", price: mesh(3) }],
  pool: "inline",
  timeoutMs: 1_000,
  profile: { deterministic: false, typicalMs: 1, maximumMs: 20, sideEffects: ["page"] },
  input: z.object({
    trade: z
      .string()
      .min(1)
      .register(field, { aliases: ["industry", "type"], truncateAt: NAME_CHARS })
      .describe("The trade, as its people or its customers would name it."),
    business: z
      .string()
      .optional()
      .register(field, { aliases: ["name", "business_name"], truncateAt: NAME_CHARS })
      .describe("What the business is called; named after its trade by default."),
    area: z
      .string()
      .optional()
      .register(field, { aliases: ["service_area", "location"], truncateAt: NAME_CHARS })
      .describe("Where it works."),
  }),
  output: z.object({
    url: z.url().describe("Where the page lies, for good."),
    slug: z.string(),
    vertical: z.string().describe("The trade that was recognised, or general."),
    matched: z.boolean().describe("Whether a built-in trade fits; false means the general reception."),
    business: z.string(),
    area: z.string().nullable(),
  }),
  onInvalid: (_issues, { trade }) =>
    trade === undefined || (typeof trade === "string" && trade.trim() === "")
      ? new Refusal("trade_required", null)
      : undefined,
});
