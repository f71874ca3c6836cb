import { randomInt } from "node:crypto";

/** Without letters and digits that are taken for one another when a slug is read out. */
const SUFFIX_LETTERS = "23456789abcdefghjkmnpqrstvwxyz";
/** 10 of 30 letters are 49 bits: nobody guesses another page, and two of one name do not meet. */
const SUFFIX_CHARS = 10;
const NAME_CHARS = 40;

/** What every slug of a page looks like. */
export const PAGE_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?$/;

/**
 * A new slug for a page: the first of the names that has something of a-z and 0-9 in it, in small letters without
 * accents, and a random end: `bright-smile-dental-x7k2m9p4qd`.
 */
export function newPageSlug(...names: readonly string[]): string {
  const suffix = Array.from(
    { length: SUFFIX_CHARS },
    () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)],
  ).join("");
  const readable = names.map(readablePart).find((part) => part !== "");
  return readable === undefined ? suffix : `${readable}-${suffix}`;
}

function readablePart(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const part = words.join("-").slice(0, NAME_CHARS);
  return part.endsWith("-") ? part.slice(0, -1) : part;
}
