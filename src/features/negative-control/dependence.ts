import type { LineChanges } from "./images.ts";

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*|\d+(?:\.\d+)?/gu;
const QUOTED_CODE = /`([^`\n]{1,500})`/g;
const COMMENT = /^\s*(?:\/\/|#(?!\s*(?:if|define|include|else|endif|pragma)\b)|\*|\/\*|--\s|<!--).*$/;
/** Words of code that are words of English as well: that an assertion says them shows nothing. */
const EVERYDAY = new Set(
  (
    "a an and are as at be by case class const def default do else end export false fix for from function has if " +
    "import in input is it its let line lines new no not number of on one or return returns so string test " +
    "that the then this to true type value var when while with without yield"
  ).split(" "),
);

/**
 * What an assertion says of exactly what a fix changes: pieces of code that it quotes and words that it uses, and
 * that stand on one side of the change only, words also nowhere around it. Nothing in common means that it may hold with and without the fix.
 */
export function changedTerms(assertion: string, { added, removed, kept }: LineChanges): string[] {
  const sides = { added: squeezed(added), removed: squeezed(removed) };
  const quoted = [...assertion.matchAll(QUOTED_CODE)].map(([, code = ""]) => code.trim());
  const pieces = quoted.filter((code) => {
    const piece = squeeze(code);
    return piece.length > 1 && sides.added.some(holds(piece)) !== sides.removed.some(holds(piece));
  });
  const said = new Set(wordsOf(assertion));
  const around = new Set(wordsOf(kept.join("\n")));
  const [gone, come] = [new Set(wordsOf(removed.join("\n"))), new Set(wordsOf(added.join("\n")))];
  const names = [...gone.symmetricDifference(come)].filter(
    (word) => said.has(word) && word.length > 1 && !around.has(word) && !EVERYDAY.has(word.toLowerCase()),
  );
  return [...new Set([...pieces, ...names])];
}

/** Whether a change touches only white space and comments, so that no behaviour can tell it. */
export function isOnlyLayout({ added, removed }: LineChanges): boolean {
  return codeOf(added) === codeOf(removed);
}

const codeOf = (lines: readonly string[]): string =>
  squeezed(lines.filter((line) => !COMMENT.test(line))).join("");
const wordsOf = (text: string): string[] => text.match(WORD) ?? [];
const squeeze = (line: string): string => line.replace(/\s+/g, "");
const squeezed = (lines: readonly string[]): string[] => lines.map(squeeze);
const holds =
  (piece: string) =>
  (line: string): boolean =>
    line.includes(piece);
