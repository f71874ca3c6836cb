import { z } from "zod";

/** A whole number, in digits. */
export const whole = (fallback: number, max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number, in digits, as in ${fallback}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `must be a whole number from ${min} to ${max}`)
        .max(max, `must be a whole number from ${min} to ${max}`),
    )
    .default(fallback);

/** An address without a slash at its end. */
export const address = z
  .url({
    protocol: /^https?$/,
    error: "must begin with http:// or https://, as in https://host.example:8080",
  })
  .transform((url) => url.replace(/\/+$/, ""));

/** The address of a server that is asked with a key of its own. */
export const server = address.refine((url) => {
  const { username, password } = new URL(url);
  return username === "" && password === "";
}, "must hold no user and password; there is a setting for the key");

/** It travels in a header: what no header can hold is refused here, and not with the key in the words of an error. */
export const key = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");
