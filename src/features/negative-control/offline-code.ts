import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { cutCodePoints } from "../../core/catalog/input.ts";

/** A way to take the behaviour of one line away, as mutation testing does it. */
type Mutation = {
  readonly weight: number;
  readonly pattern: RegExp;
  /** The line without the behaviour; undefined takes the whole statement away. */
  readonly without?: (line: string) => string;
  readonly says: (code: string, without: string) => string;
};

const dropped = (code: string): string =>
  `The case that \`${code}\` is for ends there; without that statement, it goes on to the code behind it and the result differs.`;
const turned = (code: string, without: string): string =>
  `An input on the edge that \`${code}\` decides gives the result of this form; with \`${without}\` it would give the other one.`;

const MUTATIONS: readonly Mutation[] = [
  {
    weight: 6,
    pattern: /^\s*(?:if|unless|guard)\b.*\b(?:return|throw|raise|continue|break)\b/,
    says: dropped,
  },
  { weight: 6, pattern: /^\s*(?:if|unless|guard)\b.*[:{]\s*$/, says: dropped },
  { weight: 5, pattern: /^\s*(?:assert|invariant|require|check)\b ?\(?.*[=<>!]/, says: dropped },
  { weight: 4, pattern: /\?\?[^?=]/, without: (line) => line.replace(/ ?\?\? ?[^,;)]+/, ""), says: turned },
  { weight: 4, pattern: /\?\./, without: (line) => line.replace("?.", "."), says: turned },
  { weight: 3, pattern: /<=|>=/, without: (line) => line.replace(/([<>])=/, "$1"), says: turned },
  {
    weight: 3,
    pattern: /[^=!]===?[^=]/,
    without: (line) => line.replace(/===?/, (sign) => `!${sign.slice(1)}`),
    says: turned,
  },
  {
    weight: 3,
    pattern: /[^<=-] ?[<>] ?[^<>=]/,
    without: (line) => line.replace(/([<>])/, "$1="),
    says: turned,
  },
  {
    weight: 2,
    pattern: /\.(?:trim|strip|toLowerCase|lower|normalize)\(\)/,
    without: (line) => line.replace(/\.(?:trim|strip|toLowerCase|lower|normalize)\(\)/, ""),
    says: turned,
  },
  { weight: 2, pattern: /\bawait /, without: (line) => line.replace("await ", ""), says: turned },
  { weight: 2, pattern: /\|\| ?[^|]/, without: (line) => line.replace(/ ?\|\| ?[^|,;)]+/, ""), says: turned },
  { weight: 1, pattern: /[+-] ?1\b/, without: (line) => line.replace(/ ?[+-] ?1\b/, ""), says: turned },
  { weight: 0, pattern: /\breturn\b|=|\w\(/, says: dropped },
];

const COMMENT = /^\s*(?:\/\/|#|\*|\/\*)/;
/** Opens the function that holds the code: nothing is left without it. */
const OPENS_FUNCTION =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function|def|fn|func|class|public|private|static)\b|=>\s*\{\s*$/;
const NEARNESS = 6;
const BLOCK_LINES = 8;
/** Longer lines were written by a machine. */
const LINE_CHARS = 400;

/** The smallest change that takes the guard, bound or default of some code away, as a diff, and what fails then. */
export function controlOfCode(
  code: string,
  nearness: (text: string) => number,
): { assertion: string; minimal_revert: string } {
  const lines = code.split("\n");
  const [best] = lines
    .flatMap((line, index) => candidates(line, index))
    .map((found) => ({
      ...found,
      score: found.mutation.weight + NEARNESS * nearness(lines[found.index] ?? ""),
    }))
    .sort((a, b) => b.score - a.score);
  const { mutation, index } = best ?? { mutation: undefined, index: 0 };
  const line = lines[index] ?? "";
  const without = mutation?.without?.(line);
  const taken = without === undefined ? statementLength(lines, index) : 1;
  const reverted = [
    ...lines.slice(0, index),
    ...(without === undefined ? [] : [without]),
    ...lines.slice(index + taken),
  ];
  return {
    assertion: (mutation?.says ?? dropped)(cutCodePoints(line.trim(), LINE_CHARS), without?.trim() ?? ""),
    minimal_revert: createTwoFilesPatch("a/fix", "b/fix", code, reverted.join("\n"), "", "", {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
    }),
  };
}

function candidates(line: string, index: number): { mutation: Mutation; index: number }[] {
  if (line.length > LINE_CHARS || COMMENT.test(line) || OPENS_FUNCTION.test(line)) return [];
  return MUTATIONS.filter(({ pattern, without }) => pattern.test(line) && without?.(line) !== line).map(
    (mutation) => ({
      mutation,
      index,
    }),
  );
}

/** How many lines the statement has that begins here: to its closing brace, or as far as Python's indentation goes. */
function statementLength(lines: readonly string[], start: number): number {
  const first = lines[start] ?? "";
  const indent = indentOf(first);
  const opens = /\{\s*$/.test(first);
  if (!opens && !/:\s*$/.test(first)) return 1;
  for (let at = start + 1; at < lines.length && at - start <= BLOCK_LINES; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || indentOf(line) > indent) continue;
    return opens && /^\s*\}/.test(line) ? at - start + 1 : at - start;
  }
  return opens ? 1 : lines.length - start;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
