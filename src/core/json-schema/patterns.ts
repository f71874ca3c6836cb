import { RE2JS } from "re2js";
import { SchemaFault } from "./faults.ts";

/** A pattern that takes time in proportion to the text, whatever it is. */
export type Pattern = {
  readonly test: (text: string) => boolean;
  /** How many steps a test of a text of this many UTF-16 units takes. */
  readonly steps: (chars: number) => number;
};

/** White space as ECMA-262 has it; RE2's own is ASCII. */
const SPACE = "\\t\\n\\v\\f\\r\\x{2028}\\x{2029}\\x{feff}\\p{Z}";
/** What `.` does not match. */
const NO_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";
/** A test of this many characters by a small program takes about as long as any other step. */
const CHARS_A_STEP = 128;
const STATES_A_STEP = 64;

/** General categories by the long names that ECMA-262 also takes. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: "L",
  Lowercase_Letter: "Ll",
  Uppercase_Letter: "Lu",
  Titlecase_Letter: "Lt",
  Modifier_Letter: "Lm",
  Other_Letter: "Lo",
  Mark: "M",
  Number: "N",
  Decimal_Number: "Nd",
  digit: "Nd",
  Letter_Number: "Nl",
  Other_Number: "No",
  Punctuation: "P",
  punct: "P",
  Symbol: "S",
  Separator: "Z",
  Space_Separator: "Zs",
  Other: "C",
  Control: "Cc",
};

/**
 * Compiles a pattern of ECMA-262 (with `u`, unanchored, as JSON Schema has it) for RE2.
 * Throws `SchemaFault` for what is none, and for what cannot be matched in linear time: look-around, backreferences.
 */
export function compilePattern(pattern: string): Pattern {
  const shown = JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 60)}...` : pattern);
  try {
    // Its syntax alone: RE2 takes some of what ECMA-262 does not.
    void new RegExp(pattern, "u");
    const compiled = RE2JS.compile(RE2JS.translateRegExp(translate(pattern)));
    const perChar = (1 + compiled.programSize() / STATES_A_STEP) / CHARS_A_STEP;
    return { test: (text) => compiled.test(text), steps: (chars) => Math.ceil(chars * perChar) };
  } catch (error) {
    throw new SchemaFault(
      `The pattern ${shown} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** About how large the program of a pattern becomes: its characters times its largest repeat. */
export function sizeOfPattern(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
  return pattern.length * Math.max(1, ...counts.map((count) => Number(count ?? 0)));
}

const TOKEN = /\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\[^]|\[\^?|\]|[^]/gu;

/** What RE2 would read otherwise, as it says it. */
function translate(pattern: string): string {
  let inClass = false;
  return pattern.replace(TOKEN, (token) => {
    if (token.startsWith("[") && !inClass) inClass = true;
    else if (token === "]") inClass = false;
    else if (token === "." && !inClass) return NO_LINE_END;
    else if (token === "\\s") return inClass ? SPACE : `[${SPACE}]`;
    else if (token === "\\S" && !inClass) return `[^${SPACE}]`;
    else if (/^\\[pP]\{/.test(token)) return property(token);
    else if (/^\\[1-9k]/.test(token)) throw new Error("it refers back to what it matched");
    return token;
  });
}

function property(token: string): string {
  const name = token.slice(3, -1).replace(/^(?:General_Category|gc|Script|sc)=/, "");
  return `${token.slice(0, 3)}${CATEGORIES[name] ?? name}}`;
}
