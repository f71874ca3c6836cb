import { createRequire } from "node:module";
import type nlp from "compromise";
import type { Found } from "./found.ts";

type Name = "people" | "places" | "organizations";

/** The tagger takes about 15 ms for each 1,000 characters. */
const READ_LIMIT_CHARS = 12_000;

const load = createRequire(import.meta.url);

/** The names of people in a text's first 12,000 characters, as compromise tags them. */
export const findPeople = (text: string): Found<string>[] => findNames(text, "people");

/** The names of places in a text's first 12,000 characters. */
export const findPlaces = (text: string): Found<string>[] => findNames(text, "places");

/** The names of companies and other bodies in a text's first 12,000 characters. */
export const findOrganizations = (text: string): Found<string>[] => findNames(text, "organizations");

function findNames(text: string, kind: Name): Found<string>[] {
  // Loaded on first use: it costs a quarter of a second and 50 MB.
  const tag = load("compromise") as typeof nlp;
  const names: unknown = tag(text.slice(0, READ_LIMIT_CHARS))[kind]().out("array");
  const distinct = new Set((Array.isArray(names) ? names : []).map((name) => bare(String(name))));
  return [...distinct]
    .filter((name) => name !== "")
    .flatMap((name) => occurrences(text, name))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

function occurrences(text: string, name: string): Found<string>[] {
  const found: Found<string>[] = [];
  for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + name.length)) {
    found.push({ value: name, text: name, start, end: start + name.length });
  }
  return found;
}

/** Company names keep their full stop. */
const bare = (name: string): string =>
  name
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, "")
    .replace(/'s$/, "")
    .replace(/(?<!\b(?:inc|corp|ltd|co|jr|sr))\.$/i, "");
