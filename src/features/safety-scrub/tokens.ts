import { isKeyShaped } from "../../core/accounts/keys.ts";
import { BASE64URL, endsWord, runEnd, type Word } from "./characters.ts";
import type { Span } from "./kinds.ts";
import { ISSUERS } from "./token-issuers.ts";

const OWN_PREFIX = "mf_";
const OWN_CHARS = 41;

/** A rule made ready, all of one form. */
type Matcher = {
  readonly start: string;
  /** The code of the last character of `start`: most texts that begin alike differ there. */
  readonly last: number;
  readonly pattern: RegExp;
  readonly open: boolean;
};

/** Rules by the first two characters of their prefix: a text is mostly words that begin no token. */
const BY_PREFIX = new Map<number, Matcher[]>();
/** Rules without a prefix, by the length of the first word; `start` is the mark after it. */
const BY_FIRST_WORD: Matcher[][] = [];

for (const rule of ISSUERS) {
  const { pattern, open = false } = rule;
  if ("prefixes" in rule) {
    for (const start of rule.prefixes) {
      const key = twoCharacters(start, 0);
      BY_PREFIX.set(key, [
        ...(BY_PREFIX.get(key) ?? []),
        { start, last: start.charCodeAt(start.length - 1), pattern, open },
      ]);
    }
  } else {
    for (const length of rule.firstWord) {
      BY_FIRST_WORD[length] = [
        ...(BY_FIRST_WORD[length] ?? []),
        { start: rule.mark, last: rule.mark.charCodeAt(0), pattern, open },
      ];
    }
  }
}

function twoCharacters(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
}

/** The token of a known issuer, or one of our own keys, that begins with this word. */
export function findToken(text: string, word: Word): Span | undefined {
  const end = ownKeyEnd(text, word) ?? prefixedEnd(text, word.start) ?? unprefixedEnd(text, word);
  return end === undefined ? undefined : { start: word.start, end, kind: "api_key" };
}

function ownKeyEnd(text: string, { start }: Word): number | undefined {
  if (!text.startsWith(OWN_PREFIX, start)) return undefined;
  const end = start + OWN_CHARS;
  return isKeyShaped(text.slice(start, end)) && endsWord(text, end) ? end : undefined;
}

function prefixedEnd(text: string, at: number): number | undefined {
  const matchers = BY_PREFIX.get(twoCharacters(text, at));
  if (matchers === undefined) return undefined;
  for (const matcher of matchers) {
    if (text.charCodeAt(at + matcher.start.length - 1) !== matcher.last) continue;
    if (!text.startsWith(matcher.start, at)) continue;
    const end = matchEnd(text, at + matcher.start.length, matcher);
    if (end !== undefined) return end;
  }
  return undefined;
}

function unprefixedEnd(text: string, { start, end }: Word): number | undefined {
  const matchers = BY_FIRST_WORD[end - start];
  if (matchers === undefined) return undefined;
  for (const matcher of matchers) {
    const last = text.charCodeAt(end) === matcher.last ? matchEnd(text, start, matcher) : undefined;
    if (last !== undefined) return last;
  }
  return undefined;
}

function matchEnd(text: string, at: number, { pattern, open }: Matcher): number | undefined {
  pattern.lastIndex = at;
  if (!pattern.test(text)) return undefined;
  if (open) return runEnd(text, pattern.lastIndex, BASE64URL);
  return endsWord(text, pattern.lastIndex) ? pattern.lastIndex : undefined;
}
