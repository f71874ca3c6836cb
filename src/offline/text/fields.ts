import { labelsFor } from "./synonyms.ts";
import { words } from "./keywords.ts";
import { listItems } from "./sentences.ts";
import { stem } from "./stem.ts";

/** A field that a text labels, as in `Name: Ann`. */
export type Field = {
  readonly label: string;
  readonly value: string;
  /** Where the value begins in the text. */
  readonly start: number;
};

const LABEL_CHARS = 40;
const LABEL_WORDS = 5;
const VALUE_CHARS = 500;
/** At a line's start or after a separator: a label, a colon or equals sign, and what follows on the line. */
const LABELLED = new RegExp(
  String.raw`(?:^|\n|[;|,.]\s)[ \t>*_#-]*([\p{L}][\p{L}\p{N} ./#()'&_-]{0,${LABEL_CHARS - 1}}?)[ \t]*[*_]*[ \t]*(?:[:：]|=(?!=))[*_]*(?!//)[ \t]*([^\n]{0,${VALUE_CHARS}})`,
  "gu",
);
const ROW = /^[ \t]*\|([^|\n]+)\|([^|\n]+)\|[ \t]*$/gm;

/** The labelled fields of a text, in order: `Label: value` and `label = value` on lines or in a row, tables of two columns. */
export function labelledFields(text: string): Field[] {
  return [...colonFields(text), ...rowFields(text)].sort((a, b) => a.start - b.start);
}

function colonFields(text: string): Field[] {
  const fields: Field[] = [];
  LABELLED.lastIndex = 0;
  for (let match = LABELLED.exec(text); match !== null; match = LABELLED.exec(text)) {
    const [all, label = "", rest = ""] = match;
    const start = match.index + all.length - rest.length;
    // The value may hold the next field of the row, which is found from here on.
    LABELLED.lastIndex = start;
    if (words(label).length <= LABEL_WORDS) {
      fields.push({ label: label.trim(), value: cleaned(untilNextLabel(rest)), start });
    }
  }
  return fields.filter(({ value }) => value !== "");
}

const NEXT_LABEL = new RegExp(
  String.raw`[;|,.]\s[ \t*_]*[\p{L}][\p{L}\p{N} /#_-]{0,${LABEL_CHARS - 1}}[ \t]*(?:[:：]|=(?!=))(?!//)|;\s`,
  "u",
);

const untilNextLabel = (rest: string): string => rest.slice(0, NEXT_LABEL.exec(rest)?.index ?? rest.length);

function cleaned(value: string): string {
  const bare = value.replace(/^[*_\s"'`]+|[*_\s"'`,;|]+$/g, "").trim();
  // The full stop of the sentence around it; one of an abbreviation stays, and so do those of several sentences.
  return /^[^.]+\.$/.test(bare) && !/\b(?:inc|corp|ltd|co|jr|sr)\.$/i.test(bare) ? bare.slice(0, -1) : bare;
}

function rowFields(text: string): Field[] {
  return [...text.matchAll(ROW)]
    .map(({ 0: all, 1: label = "", 2: value = "", index }) => ({
      label: label.trim(),
      value: cleaned(value),
      start: index + all.indexOf(value),
    }))
    .filter(({ value, label }) => /\p{L}/u.test(label) && /[\p{L}\p{N}]/u.test(value));
}

/**
 * What a text gives under a key, as the text spells it: a labelled field of that name or of a synonym of it
 * (`amount due` for `total`), else what follows `the <key> is`. Undefined where it says nothing of it.
 */
export function findField(
  text: string,
  key: string,
  fields: readonly Field[] = labelledFields(text),
): string | undefined {
  const labels = labelsFor(key);
  for (const label of labels) {
    const wanted = stems(label);
    const field =
      fields.find((one) => stems(one.label) === wanted) ?? fields.find((one) => endsWith(one.label, wanted));
    if (field !== undefined) return field.value;
  }
  return inProse(text, labels[0] ?? key);
}

const stems = (label: string): string => words(label).map(stem).join(" ");
const endsWith = (label: string, wanted: string): boolean =>
  wanted.includes(" ") && ` ${stems(label)}`.endsWith(` ${wanted}`);

/**
 * The list that a text gives under a key: what stands indented or bulleted under it as a heading, its labelled field
 * taken apart, or what follows `the <key> are`. Undefined where it says nothing of it.
 */
export function findList(
  text: string,
  key: string,
  fields: readonly Field[] = labelledFields(text),
): string[] | undefined {
  const items = listItems(sectionOf(text, key) ?? "");
  if (items.length > 0) return items;
  const labels = labelsFor(key);
  const field = labels
    .map((label) => fields.find((one) => stems(one.label) === stems(label)))
    .find((found) => found !== undefined);
  const list = field?.value ?? inProse(text, labels[0] ?? key, SENTENCE_END);
  return list === undefined ? undefined : parseList(list);
}

/** The lines under a key's heading, up to an empty line or the next heading; undefined where there is no such heading. */
export function sectionOf(text: string, key: string): string | undefined {
  const wanted = new Set(labelsFor(key).map(stems));
  const lines = text.split("\n");
  const at = lines.findIndex((line) => HEADING.test(line) && wanted.has(stems(line)));
  if (at === -1) return undefined;
  const rest = lines.slice(at + 1);
  const first = rest.findIndex((line) => line.trim() !== "");
  const end = rest.findIndex((line, index) => index > first && (line.trim() === "" || HEADING.test(line)));
  return rest.slice(first, end === -1 ? undefined : end).join("\n");
}

const HEADING = /^\s*(?:#{1,6}\s+\S.*|\S[^\n]{0,60}[:：])[*_]*\s*$/;
const SENTENCE_END = /[.;!?](?:\s|$)|\n/;
/** Words that begin another clause. */
const CLAUSE_END = /\s(?:and|but|which|who|because|so|while|with|for|from|since)\s|[.;,!?](?:\s|$)|\n/;
const PROSE_CHARS = 120;

function inProse(text: string, label: string, clauseEnd = CLAUSE_END): string | undefined {
  const spelled = label
    .split(" ")
    .map(escapeSyntax)
    .join(String.raw`[\s_-]`);
  const match = new RegExp(
    String.raw`\b${spelled}\b\s*(?:is|are|was|were|=|will be|named|called)\s+([^\n]{1,${PROSE_CHARS}})`,
    "iu",
  ).exec(text);
  const rest = match?.[1];
  if (rest === undefined) return undefined;
  const value = cleaned(rest.slice(0, clauseEnd.exec(rest)?.index ?? rest.length));
  return value === "" ? undefined : value.replace(/^(?:an?|the)\s+/i, "");
}

/** A key is the caller's: in a pattern, each of its characters stands for itself. */
const escapeSyntax = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const YES = /^(?:yes|y|true|on|enabled|active|checked|✓|✔|x|1|agreed|confirmed)\b/i;
const NO = /^(?:no|n|false|off|disabled|inactive|unchecked|✗|none|0|not|never)\b/i;

/** Reads yes, no and their like at the beginning of a value; undefined for anything else. */
export function parseBoolean(value: string): boolean | undefined {
  if (NO.test(value)) return false;
  return YES.test(value) || /^[✓✔]/.test(value) ? true : undefined;
}

/** The items of an enumeration: `a, b and c`, `a; b`, `a | b`. */
export function parseList(value: string): string[] {
  const separator = /[;|]/.test(value) ? /\s*[;|]\s*/ : /\s*,\s*(?:and\s+|or\s+|&\s*)?|\s+(?:and|&)\s+/;
  return value
    .split(separator)
    .map((item) => item.trim().replace(/\.$/, ""))
    .filter(Boolean);
}
