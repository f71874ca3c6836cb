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

/** The address of a server that is asked with a key of its own. */
export const server = address.refine((url) => {
  const { username, password } = new URL(url);
  return username === "" && password === "";
}, "must hold no user and password; there is a setting for the key");

/** It travels in a header: what no header can hold is refused here, and not with the key in the words of an error. */
export const key = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");
