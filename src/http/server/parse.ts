import { z } from "zod";
import { cutCodePoints, issuesOf } from "../../core/catalog/input.ts";
import { invalidInput } from "../../core/errors.ts";
import { inWords } from "../../core/in-words.ts";
import { LIMITS } from "../../core/limits.ts";

/** Checks a body or a query against a schema; throws `invalid_input` with every fault. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {}, { error: inWords });
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  return parsed.data;
}

/** An object body; arrays and bare values are refused. */
export function objectBody(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  if (value === undefined) return {};
  throw invalidInput([{ path: "", message: "The body must be a JSON object." }]);
}

/** `limit` of a paged list. */
export const pageLimit = z.coerce.number().int().min(1).max(LIMITS.pageRows).default(LIMITS.pageRowsDefault);

/** Control characters, line separators, and what turns the direction of the text after it (Unicode, UAX 9). */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A name that people read; its length counts code points, and a longer one is refused. */
export const shortName = z
  .string()
  .trim()
  .min(1)
  .refine(
    (name) => !UNSEEN.test(name),
    "must hold no control characters and none that turn the direction of text",
  )
  .refine(
    (name) => cutCodePoints(name, LIMITS.nameChars) === name,
    `must be at most ${LIMITS.nameChars} characters`,
  )
  .meta({ maxLength: LIMITS.nameChars });

/** `{<name>: rows, next_before}`, of rows read one past the limit: the id to ask on from, or null at the end. */
export function page<T extends { readonly [key in K]: unknown }, K extends string>(
  name: string,
  rows: readonly T[],
  limit: number,
  idKey: K,
): Record<string, unknown> {
  const shown = rows.slice(0, limit);
  return { [name]: shown, next_before: rows.length > limit ? shown.at(-1)?.[idKey] : null };
}
