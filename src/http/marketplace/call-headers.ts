import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { invalidInput } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";

const MAX_PRICE = 1_000_000_000;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** The request headers of a call, for the API's description. */
export const callHeaders = z.object({
  prefer: z
    .string()
    .optional()
    .describe(`wait=N (seconds, at most ${LIMITS.maxWaitMs / 1000}) or respond-async (RFC 7240)`),
  "idempotency-key": z
    .string()
    .max(LIMITS.idempotencyKeyChars)
    .optional()
    .describe("the same key and body within 24 hours is the same call, charged once"),
  "max-price": z.string().optional().describe("a dearer call is refused, uncharged"),
});

/** `wait=2.5`, or with quotes. */
const SECONDS = /^wait\s*=\s*(?:(\d+(?:\.\d+)?(?:e\d+)?)|"(\d+(?:\.\d+)?(?:e\d+)?)")$/;

/** How long the caller wants to wait, and what of `Prefer` was followed (RFC 7240). Throws `invalid_input`. */
export function waitOf(
  request: FastifyRequest,
  defaultWaitMs: number,
): { waitMs: number; applied: string | null } {
  const preferences = [request.headers.prefer ?? []]
    .flat()
    .flatMap((line) => line.split(","))
    .map((part) => (part.split(";")[0] ?? "").trim().toLowerCase());
  const wait = preferences.find((preference) => /^wait(\s*=|$)/.test(preference));
  if (wait !== undefined) {
    const seconds = SECONDS.exec(wait);
    if (seconds === null)
      throw invalidInput([
        { path: "Prefer", message: "must give `wait` a number of seconds, such as wait=10" },
      ]);
    const waitMs = Math.min(Number(seconds[1] ?? seconds[2]) * 1000, LIMITS.maxWaitMs);
    return { waitMs, applied: `wait=${waitMs / 1000}` };
  }
  if (preferences.includes("respond-async")) return { waitMs: 0, applied: "respond-async" };
  return { waitMs: defaultWaitMs, applied: null };
}

/** `Idempotency-Key`, or null. Throws `invalid_input`. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  // Node reads headers as Latin-1: what a client wrote in another encoding would be kept as something else.
  if (typeof key !== "string" || !PRINTABLE.test(key) || key.length > LIMITS.idempotencyKeyChars) {
    const message = `must be 1 to ${LIMITS.idempotencyKeyChars} printable ASCII characters, once`;
    throw invalidInput([{ path: "Idempotency-Key", message }]);
  }
  return key;
}

/** `Max-Price` in MESH, or null. Throws `invalid_input` for what is no whole number. */
export function maxPriceOf(request: FastifyRequest): number | null {
  const text = request.headers["max-price"];
  if (text === undefined) return null;
  const price = typeof text === "string" && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(price <= MAX_PRICE)) throw invalidInput([{ path: "Max-Price", message: "must be a number of MESH" }]);
  return price;
}
