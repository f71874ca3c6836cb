/** A number, sign or word of arithmetic, with its place in the text. */
export type Token = {
  readonly kind: "number" | "+" | "-" | "*" | "/" | "^" | "(" | ")" | "%" | "of";
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** A longer run is no arithmetic that a person wrote. */
const RUN_LIMIT = 200;

const WORDS: readonly (readonly [RegExp, Token["kind"]])[] = [
  [/plus\b/iy, "+"],
  [/minus\b/iy, "-"],
  [/(?:times|multiplied by|x)\b/iy, "*"],
  [/divided by\b/iy, "/"],
  [/to the power of\b/iy, "^"],
  [/percent\b/iy, "%"],
  [/of\b/iy, "of"],
];
const SIGNS: readonly (readonly [RegExp, Token["kind"]])[] = [
  [/\*\*|\^/y, "^"],
  [/[-−]/y, "-"],
  [/[*×·]/y, "*"],
  [/[/÷]/y, "/"],
  [/\+/y, "+"],
  [/\(/y, "("],
  [/\)/y, ")"],
  [/%/y, "%"],
];
/** With an optional currency sign before it; a letter, a further dot or digit after it makes it something else. */
const NUMBER = /[$€£]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\p{L}\d_]|[.,:]\d)/uy;
const BLANK = /[ \t]+/y;
/** What is asked to be worked out, so that a tight hyphen or slash is a sign. */
const ASKED =
  /(?:what(?:'s| is| does)|how much is|calculate|compute|evaluate|solve|work out)[\s:]*[-(\d$€£.][^?!\n]*$/i;
const ASKED_REACH = 80;
const DATE_LIKE = /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;

/**
 * The runs of a text's tokens that stand together with nothing else between. A tight hyphen or slash (`2024-25`,
 * `24/7`) is no sign, unless a calculation is asked for, follows an equals sign, or `tight` says so.
 */
export function tokenRuns(text: string, { tight = false } = {}): Token[][] {
  const runs: Token[][] = [];
  let run: Token[] = [];
  const flush = (): void => {
    if (run.length > 1 && run.length <= RUN_LIMIT && (tight || isArithmetic(text, run))) runs.push(run);
    run = [];
  };
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at);
    if (token !== undefined) {
      run.push(token);
      at = token.end;
      continue;
    }
    const blank = lengthOf(BLANK, text, at);
    if (blank === 0) flush();
    at += blank || skip(text, at);
  }
  flush();
  return runs;
}

function tokenAt(text: string, at: number): Token | undefined {
  const afterLetter = /[\p{L}\p{N}_.]/u.test(text[at - 1] ?? "");
  NUMBER.lastIndex = at;
  const number = afterLetter ? null : NUMBER.exec(text);
  if (number !== null) {
    return { kind: "number", text: number[1] ?? "", start: at, end: NUMBER.lastIndex };
  }
  const table = /\p{L}/u.test(text[at] ?? "") && !afterLetter ? WORDS : SIGNS;
  for (const [pattern, kind] of table) {
    const length = lengthOf(pattern, text, at);
    if (length > 0) return { kind, text: text.slice(at, at + length), start: at, end: at + length };
  }
  return undefined;
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

const UNIT = /[\p{L}\p{N}_]+|[^]/uy;
/** To the end of a word that is none of arithmetic, so that nothing is found within it. */
const skip = (text: string, at: number): number => Math.max(1, lengthOf(UNIT, text, at));

function isArithmetic(text: string, run: readonly Token[]): boolean {
  const [first, last] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
  const isTight = ({ kind, start, end }: Token): boolean =>
    (kind === "-" || kind === "/") && text[start - 1] !== " " && text[end] !== " ";
  const isClear = run.some((token) => /[-+*/^]|of/.test(token.kind) && !isTight(token));
  if (DATE_LIKE.test(text.slice(first, last)) && !isClear) return false;
  if (isClear || /^\s*=/.test(text.slice(last, last + ASKED_REACH))) return true;
  return ASKED.test(text.slice(Math.max(0, first - ASKED_REACH), last));
}
