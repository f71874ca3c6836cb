import { z } from "zod";
import { cutCodePoints } from "./input.ts";

/**
 * A text of `min` to `max` code points, the unit of JSON Schema's `maxLength`. A longer one is refused, not cut.
 * With `min` 1 an empty one is refused.
 */
export const boundedText = (min: 0 | 1, max: number): z.ZodString =>
  z
    .string()
    .min(min)
    .refine((text) => cutCodePoints(text, max) === text, {
      error: `must have at most ${max} characters`,
    })
    .meta({ maxLength: max });
