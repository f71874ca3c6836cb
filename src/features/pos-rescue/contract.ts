import { z } from "zod";
import { field } from "../../core/catalog/define.ts";
import { cutCodePoints } from "../../core/catalog/input.ts";

/** In code points. */
const TROUBLE_LIMIT = 3_000;
const POS_LIMIT = 80;

export const EXCLUSIVITIES = ["no", "yes", "unknown"] as const;

/**
 * The input of every tier. A trouble of white space passes: it is charged, found to be empty by the handler, and
 * refunded.
 */
export const input = z.object({
  trouble: z
    .string()
    .min(1)
    .meta({ "x-truncate-at": TROUBLE_LIMIT })
    .transform((trouble) => cutCodePoints(trouble.trim(), TROUBLE_LIMIT))
    .describe("What is wrong at the till."),
  pos: z
    .string()
    .default("unknown")
    .register(field, { truncateAt: POS_LIMIT })
    .describe("The point-of-sale system."),
  exclusivity: z
    .string()
    .default("unknown")
    .register(field, { aliases: ["exclusivity_clause"], trim: true })
    .describe(
      "Whether the contract binds to the system's own card processing: no, yes or unknown. Only an explicit no unlocks " +
        "the workaround.",
    ),
});

export const output = z.object({
  rescue: z.object({
    diagnosis: z.string(),
    plan: z.array(z.string()),
    workaround: z
      .string()
      .nullable()
      .describe("How the owner takes cards directly; null unless exclusivity is no."),
    cautions: z.array(z.string()),
  }),
  exclusivity_checked: z.enum(EXCLUSIVITIES),
  model: z.string(),
  next: z.array(z.string()),
});
