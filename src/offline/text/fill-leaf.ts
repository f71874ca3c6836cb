import { findField, parseBoolean } from "./fields.ts";
import type { Found } from "./found.ts";
import { type KeyKind, kindOfKey } from "./key-kinds.ts";
import { keyPhrases } from "./key-phrases.ts";
import { keywords } from "./keywords.ts";
import { isNegated } from "./rules.ts";
import type { SourceText } from "./source-text.ts";
import { keyWords, synonymsOf } from "./synonyms.ts";
import { findValues, type ValueKind } from "./values.ts";

/** What is wanted under a key. */
export type Wanted = {
  readonly key: string;
  /** What the schema says of it, in words. */
  readonly description?: string;
  readonly format?: string;
};

const SUMMARY_SENTENCES = 2;
/** In a text as short as a line, the only number is the one that is meant. */
const SHORT_CHARS = 120;
const TEXT_KINDS: ReadonlySet<KeyKind> = new Set(["summary", "title", "topics", "plain"]);
/** These kinds say by themselves what they are: the first one found will do where no word points to one. */
const SELF_EVIDENT: ReadonlySet<KeyKind> = new Set([
  "email",
  "phone",
  "url",
  "person",
  "organization",
  "place",
  "role",
]);

/** The text under a key: its labelled field, or the value of its kind that stands nearest to its words. */
export function findString(source: SourceText, wanted: Wanted): string | undefined {
  const kind = kindOfKey(wanted.key, wanted.format);
  const labelled = findField(source.text, wanted.key, source.fields);
  if (isValueKind(kind)) {
    const inLabelled = labelled === undefined ? undefined : findValues(labelled, kind)[0];
    if (inLabelled !== undefined) return spelled(kind, inLabelled);
    if (labelled !== undefined && wanted.format === undefined) return labelled;
    const needsCue = !SELF_EVIDENT.has(kind) && keyWords(wanted.key).length > 1;
    const found = source.take([kind], cuesOf(wanted.key, kind), { needsCue });
    return found === undefined ? undefined : spelled(kind, found);
  }
  return labelled ?? textAbout(source, kind, wanted);
}

const NORMALISED: ReadonlySet<KeyKind> = new Set(["date", "time", "url", "identifier", "role"]);

/** Dates and times in their normal form, what stands within other words without them, all else as it is spelled. */
const spelled = (kind: KeyKind, found: Found): string =>
  NORMALISED.has(kind) ? String(found.value) : found.text.trim();

const isValueKind = (kind: KeyKind): kind is ValueKind => !TEXT_KINDS.has(kind);

function textAbout(source: SourceText, kind: KeyKind, { key, description = "" }: Wanted): string | undefined {
  if (kind === "summary") return source.summary(SUMMARY_SENTENCES) || undefined;
  if (kind === "title") return source.sentences[0];
  if (kind === "topics") return keyPhrases(source.text, 1)[0]?.phrase;
  const own = keywords(keyWords(key).join(" "));
  const about = source.sentenceAbout([...own, ...keywords(description)]);
  return about !== undefined && own.some((word) => keywords(about.sentence).includes(word))
    ? about.sentence
    : undefined;
}

/** All texts of a key's kind, such as every e-mail address, each once; key phrases for topics. */
export function findStrings(source: SourceText, wanted: Wanted): string[] {
  const kind = kindOfKey(wanted.key, wanted.format);
  if (isValueKind(kind)) return [...new Set(source.values(kind).map((found) => spelled(kind, found)))];
  return kind === "topics" ? keyPhrases(source.text).map(({ phrase }) => phrase) : [];
}

/** The number under a key that `fits`: labelled, or nearest to the key's words, or the only one that there is. */
export function findNumber(
  source: SourceText,
  { key, format }: Wanted,
  fits: (value: number) => boolean,
): number | undefined {
  const kind = numericKind(kindOfKey(key, format));
  const fitting = (found: Found): boolean => typeof found.value === "number" && fits(found.value);
  const labelled = findField(source.text, key, source.fields);
  const inLabelled =
    labelled === undefined
      ? undefined
      : (findValues(labelled, kind).find(fitting) ?? findValues(labelled, "number").find(fitting));
  if (inLabelled !== undefined) return Number(inLabelled.value);
  const ofKind = source.values(kind).filter(fitting);
  const isOnly = ofKind.length === 1 && (kind !== "number" || source.text.length < SHORT_CHARS);
  const kinds = kind === "number" ? [kind] : [kind, "number" as const];
  const found = source.take(kinds, cuesOf(key, kind), { needsCue: !isOnly, fits: fitting });
  return found === undefined ? undefined : Number(found.value);
}

const numericKind = (kind: KeyKind): "amount" | "percent" | "number" =>
  kind === "amount" || kind === "percent" ? kind : "number";

/** What a text says of a yes-or-no key: its labelled field, else whether the sentence that speaks of it denies it. */
export function findBoolean(source: SourceText, { key }: Wanted): boolean | undefined {
  const labelled = findField(source.text, key, source.fields);
  const read = labelled === undefined ? undefined : parseBoolean(labelled);
  if (read !== undefined) return read;
  const about = keyWords(key)
    .filter((word) => !/^(?:is|has|have|was|are|can|should|does|do)$/.test(word))
    .join(" ");
  const wanted = [...new Set(keywords(about))];
  const found = source.sentenceAbout(wanted);
  return found === undefined || found.count < wanted.length ? undefined : !isNegated(found.sentence);
}

/** The member of an enumeration that a text names: under its key, else anywhere, the one named first. */
export function findMember<T>(source: SourceText, { key }: Wanted, members: readonly T[]): T | undefined {
  const labelled = findField(source.text, key, source.fields);
  const inLabelled = labelled === undefined ? undefined : namedFirst(labelled, members);
  return inLabelled ?? namedFirst(source.text, members);
}

function namedFirst<T>(text: string, members: readonly T[]): T | undefined {
  return members
    .map((member) => ({ member, at: positionOf(text, String(member)) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at || String(b.member).length - String(a.member).length)[0]?.member;
}

function positionOf(text: string, member: string): number {
  const spelledOut = keyWords(member).join(" ");
  const line = keyWords(text).join(" ");
  return spelledOut === "" ? -1 : ` ${line} `.indexOf(` ${spelledOut} `);
}

/** The key's words and what they are also called, without those that only name the kind. */
function cuesOf(key: string, kind: ValueKind): string[] {
  const telling = keyWords(key).filter((word) => kindOfKey(word) !== kind);
  const used = telling.length > 0 ? telling : keyWords(key);
  return [...new Set([used.join(" "), ...used.flatMap(synonymsOf)])];
}
