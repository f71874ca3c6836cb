import { z } from "zod";
import { cutCodePoints } from "./input.ts";

/** A text of at most `limit` code points, the unit of JSON Schema's `maxLength`. A longer one is refused, not cut. */
export const textUpTo = (limit: number): z.ZodString =>
  z
    .string()
    .refine((text) => cutCodePoints(text, limit) === text, {
      error: `Too long: expected at most ${limit} characters`,
    })
    .meta({ maxLength: limit });
