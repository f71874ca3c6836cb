import type { z } from "zod";
import { type Issue, invalidInput } from "../errors.ts";
import { inWords } from "../in-words.ts";
import { type Declaration, field } from "./define.ts";

/**
 * Brings a body into the shape that a capability's schema expects: `null` is absent; a field that is empty takes the
 * first non-empty alias; then white space is trimmed, then the text is cut to its length in code points.
 * Keys that the capability does not know are left alone.
 */
export function foldInput(
  schema: z.ZodObject,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const folded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) if (value !== null) folded[key] = value;
  for (const { key, keys, trims, truncateAt } of rulesOf(schema)) {
    const value = firstFilled(folded, keys, trims);
    if (value === undefined) continue;
    const text = trims && typeof value === "string" ? value.trim() : value;
    folded[key] =
      typeof text === "string" && truncateAt !== undefined ? cutCodePoints(text, truncateAt) : text;
  }
  return folded;
}

/** How one field of a schema is folded; `keys` are its own and its aliases. */
type FieldRules = {
  readonly key: string;
  readonly keys: readonly string[];
  readonly trims: boolean;
  readonly truncateAt: number | undefined;
};

const RULES = new WeakMap<z.ZodObject, readonly FieldRules[]>();

/** The rules of a schema's fields, gathered once: every call asks for them. */
function rulesOf(schema: z.ZodObject): readonly FieldRules[] {
  let found = RULES.get(schema);
  if (found === undefined) {
    found = Object.entries(schema.shape).flatMap(([key, type]) => {
      const rules = field.get(type as z.ZodType);
      if (rules === undefined) return [];
      const { aliases = [], truncateAt, trim = truncateAt !== undefined } = rules;
      return [{ key, keys: [key, ...aliases], trims: trim, truncateAt }];
    });
    RULES.set(schema, found);
  }
  return found;
}

/** The first of these keys that is filled; when none is, what the first holds, for the schema to judge. */
function firstFilled(
  body: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  trims: boolean,
): unknown {
  const given = keys.map((key) => (Object.hasOwn(body, key) ? body[key] : undefined));
  return given.find((value) => isFilled(value, trims)) ?? given[0];
}

/** White space fills a field that is not trimmed; `false` and 0 fill none: aliases are for texts. */
function isFilled(value: unknown, trims: boolean): boolean {
  return trims && typeof value === "string" ? value.trim() !== "" : Boolean(value);
}

/** The first `limit` code points of a text; never half of a surrogate pair. */
export function cutCodePoints(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let points = 0; points < limit && end < text.length; points++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/**
 * The input that a handler is given, from the body of a call.
 * Throws `AppError` `invalid_input` with every fault, or the `Refusal` that the capability makes of it.
 */
export function parseInput(
  declaration: Declaration,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const folded = foldInput(declaration.input, body);
  const parsed = declaration.input.safeParse(folded, { error: inWords });
  if (!parsed.success) {
    throw declaration.onInvalid?.(parsed.error.issues, folded) ?? invalidInput(issuesOf(parsed.error));
  }
  declaration.check?.(parsed.data);
  return parsed.data;
}

/** zod's faults as the API shows them. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
}
