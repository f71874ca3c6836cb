import { z } from "zod";

/** A whole number, in digits. */
export const whole = (fallback: number, max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number, in digits")
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback);

/** An address without a slash at its end. */
export const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
