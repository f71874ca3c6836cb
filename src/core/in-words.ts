import type { z } from "zod";
import { nearest } from "./nearest.ts";

type RawIssue = z.core.$ZodRawIssue;

/** What something must be, by the names that schemas have for it. */
const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  date: "a date",
  int: "a whole number",
  integer: "a whole number",
  nan: "not a number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

/** What a value must be of these types, in words. */
export const kindsInWords = (types: readonly string[]): string =>
  inList(types.map((type) => KINDS[type] ?? type));

const inList = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** How many of the values that a field may have are named. */
const MAX_VALUES = 24;

/** Values as a caller would send them. */
export function valuesInWords(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => `\`${String(textOf(value))}\``);
  return values.length > MAX_VALUES ? `${shown.join(", ")} ...` : inList(shown);
}

const textOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time in ISO 8601, such as 2026-01-31T12:00:00Z",
  date: "a date in ISO 8601, such as 2026-01-31",
  email: "an email address",
  url: "a URL",
  uri: "a URL",
  uuid: "a UUID",
};

/** The name of a format in words. */
export const formatInWords = (format: string): string => FORMATS[format] ?? `of the format ${format}`;

const counted = (count: number | bigint, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** At least, or at most, so many parts of something. */
export const atLeast = (least: number | bigint, what: string): string =>
  least === 1 ? "must not be empty" : `must have at least ${counted(least, what)}`;
export const atMost = (most: number | bigint, what: string): string =>
  `must have at most ${counted(most, what)}`;

const PARTS: Readonly<Record<string, string>> = { string: "character", array: "item", record: "field" };

/**
 * What is wrong with a value, as a predicate of its field: "is required and must be a string". For the `error` of a
 * schema's parse; what a schema says itself goes before.
 */
export function inWords(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return expected(issue.input, kindsInWords([issue.expected]));
    case "invalid_value":
      return expected(
        issue.input,
        `${issue.values.length > 1 ? "one of " : ""}${valuesInWords(issue.values)}`,
      );
    case "invalid_format":
      return issue.format === "regex"
        ? `must match the pattern ${String(issue["pattern"])}`
        : `must be ${formatInWords(issue.format)}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return notAllowed(issue.keys, Object.keys((issue.inst as { shape?: object } | undefined)?.shape ?? {}));
    case "invalid_union":
      return ofUnion(issue);
    default:
      return "is not valid";
  }
}

const expected = (given: unknown, what: string): string =>
  given === undefined ? `is required and must be ${what}` : `must be ${what}`;

/** Fields that may not be there, each with the nearest of those that may. */
export function notAllowed(keys: readonly string[], names: readonly string[]): string {
  const shown = keys.slice(0, MAX_VALUES).map((key) => {
    const [near] = nearest(key, names);
    return `\`${key}\`${near === undefined ? "" : ` (did you mean \`${near}\`?)`}`;
  });
  return `must not have ${keys.length === 1 ? "the field" : "the fields"} ${shown.join(", ")}`;
}

type Bounded<C extends "too_small" | "too_big"> = Extract<RawIssue, { readonly code: C }>;

function tooSmall({ origin, minimum, inclusive = true, exact }: Bounded<"too_small">): string {
  const part = PARTS[origin];
  if (part === undefined) return `must be ${inclusive ? "at least" : "more than"} ${minimum}`;
  return exact === true ? `must have ${counted(minimum, part)}` : atLeast(minimum, part);
}

function tooBig({ origin, maximum, inclusive = true, exact }: Bounded<"too_big">): string {
  const part = PARTS[origin];
  if (part === undefined) return `must be ${inclusive ? "at most" : "less than"} ${maximum}`;
  return exact === true ? `must have ${counted(maximum, part)}` : atMost(maximum, part);
}

/** What each branch wants, said once. */
function ofUnion(issue: Extract<RawIssue, { readonly code: "invalid_union" }>): string {
  if (issue.input === undefined && issue.errors.length === 0) return "is required";
  const { options } = issue as { readonly options?: readonly unknown[] };
  if (options !== undefined && options.length > 0)
    return expected(issue.input, `one of ${valuesInWords(options)}`);
  const wants = issue.errors.flatMap(([first]) => (first?.path.length === 0 ? [first.message] : []));
  return wants.length === 0 ? "is not valid" : [...new Set(wants)].join(", or ");
}
