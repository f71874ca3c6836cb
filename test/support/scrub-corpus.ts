import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { MARKERS, type Kind } from "../../src/features/safety-scrub/kinds.ts";

/** A secret in a text of the corpus: what it is and where it stands, in UTF-16 offsets. */
export type Secret = { readonly kind: Kind; readonly start: number; readonly end: number };

/** A text of the corpus, with what must be found in it and what must remain. */
export type Sample = {
  readonly name: string;
  readonly text: string;
  readonly secrets: readonly Secret[];
  readonly scrubbed: string;
};

const ALPHABETS: Readonly<Record<string, string>> = {
  digit: "0123456789",
  hex: "0123456789abcdef",
  HEX: "0123456789ABCDEF",
  lower: "0123456789abcdefghijklmnopqrstuvwxyz",
  upper: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  alnum: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  url: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_",
  b64: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/",
  bech32: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
};
const BASE62 = ALPHABETS["alnum"] ?? "";

/**
 * The texts of `fixtures/scrub/<name>.json`. `«kind:...»` frames what must be found. `{alphabet:length}` stands for
 * characters drawn at random, the same on every run: so no file of the project holds anything that looks issued.
 */
export function scrubCorpus(name: "true" | "near-miss"): Sample[] {
  const file = new URL(`../../fixtures/scrub/${name}.json`, import.meta.url);
  const entries = JSON.parse(readFileSync(file, "utf8")) as { name: string; text: string }[];
  return entries.map((entry) => sampleOf(entry.name, fill(entry.name, entry.text)));
}

function sampleOf(name: string, framed: string): Sample {
  const secrets: Secret[] = [];
  let text = "";
  let scrubbed = "";
  let at = 0;
  for (const match of framed.matchAll(/«([a-z_]+):([^»]*)»/g)) {
    const [frame, kind, secret = ""] = match;
    const between = framed.slice(at, match.index);
    text += between + secret;
    scrubbed += between + MARKERS[kind as Kind];
    secrets.push({ kind: kind as Kind, start: text.length - secret.length, end: text.length });
    at = match.index + frame.length;
  }
  return { name, text: text + framed.slice(at), secrets, scrubbed: scrubbed + framed.slice(at) };
}

function fill(name: string, text: string): string {
  const next = generator(crc32(name));
  const draw = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
  return text
    .replace("mf_KNOWNBODY", () => ownKey(draw(BASE62, 32)))
    .replace(/\{(\w+):(\d+)\}/g, (whole, alphabet: string, length: string) => {
      const characters = ALPHABETS[alphabet];
      return characters === undefined ? whole : draw(characters, Number(length));
    });
}

function ownKey(random: string): string {
  let checksum = "";
  for (let rest = crc32(random), place = 0; place < 6; place++, rest = Math.floor(rest / 62)) {
    checksum = `${BASE62[rest % 62]}${checksum}`;
  }
  return `mf_${random}${checksum}`;
}

/** Mulberry32: small, seeded, the same everywhere. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
