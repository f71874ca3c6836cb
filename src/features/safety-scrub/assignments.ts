import { FILLER, isIn, MARK, NAME, OPERATOR, runEnd, runStart, VALUE, type Word } from "./characters.ts";
import type { Span } from "./kinds.ts";
import { looksRandom, SHORTEST_CREDENTIAL } from "./randomness.ts";

const NAME_CHARS = 64;
const FILLER_CHARS = 6;
const OPERATOR_CHARS = 3;
const SCHEME_CHARS = 40;
const LEADING_MARKS = 4;
const PADDING_CHARS = 2;

/** Names whose value is a credential; those of paging cursors are none. */
const SECRET_NAME =
  /(?:(?:api|access|secret|private|account|auth|subscription|encryption|signing|master|service|license|consumer|storage|deploy|app)[_.-]?key|token|secret|credentials?)$/i;
const CURSOR_NAME = /(?:page|next|sync|continuation|cursor)[_.-]?token$/i;
/** RFC 6750 section 2.1, and the schemes that GitHub and others take in its place. */
const AUTH_SCHEME =
  /(?:^|[^0-9a-z])(?:bearer|authorization["']?[ \t]?[:=][ \t]?["']?(?:token|apikey|api-key))$/i;
/** AWS gives its secret keys no mark but their name and their length of 40 (IAM User Guide). */
const AWS_SECRET_NAME = /secret_?(?:access_?)?key$/i;
const AWS_SECRET = /^[0-9A-Za-z+/]{40}$/;

/**
 * A credential that only its surroundings tell: the value after a name such as `api_key` and an equals sign, colon or
 * element, after a command line's option, or after `Bearer`, when it looks random. `floor` is where the finding before
 * ended.
 */
export function findAssigned(text: string, word: Word, floor: number): Span | undefined {
  if (word.end - word.start < SHORTEST_CREDENTIAL - LEADING_MARKS && !isIn(text, word.end, MARK))
    return undefined;
  const start = runStart(text, word.start, MARK, floor, LEADING_MARKS);
  const operatorEnd = runStart(text, start, FILLER, floor, FILLER_CHARS);
  const operator = runStart(text, operatorEnd, OPERATOR, floor, OPERATOR_CHARS);
  if (operator === start) return undefined;
  const end = valueEnd(text, start);
  if (end - start < SHORTEST_CREDENTIAL) return undefined;
  const name =
    operator < operatorEnd ? nameBefore(text, operator, floor) : optionBefore(text, operator, floor);
  if (name === undefined) return undefined;
  const value = text.slice(start, end);
  const random = looksRandom(value) || (AWS_SECRET_NAME.test(name) && AWS_SECRET.test(value));
  return random ? { start, end: paddingEnd(text, end), kind: "api_key" } : undefined;
}

/** The name before an operator, where it is that of a credential. */
function nameBefore(text: string, operator: number, floor: number): string | undefined {
  const name = wordsBefore(text, runStart(text, operator, FILLER, floor, FILLER_CHARS), floor);
  return SECRET_NAME.test(name) && !CURSOR_NAME.test(name) ? name : undefined;
}

/** The name of a command line's option, or an HTTP authentication scheme. */
function optionBefore(text: string, end: number, floor: number): string | undefined {
  const before = text.slice(Math.max(floor, end - SCHEME_CHARS), end);
  if (AUTH_SCHEME.test(before)) return "authorization";
  const name = wordsBefore(text, end, floor);
  return name.startsWith("--") && SECRET_NAME.test(name) ? name : undefined;
}

const wordsBefore = (text: string, end: number, floor: number): string =>
  text.slice(runStart(text, end, NAME, floor, NAME_CHARS), end);

/** A full stop at the end belongs to the sentence. */
function valueEnd(text: string, start: number): number {
  let end = runEnd(text, start, VALUE);
  while (text[end - 1] === ".") end--;
  return end;
}

function paddingEnd(text: string, end: number): number {
  let padded = end;
  while (padded - end < PADDING_CHARS && text[padded] === "=") padded++;
  return padded;
}
