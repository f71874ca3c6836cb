import { keywords, words } from "./keywords.ts";

const WORD_WEIGHT = 1;
const PAIR_WEIGHT = 0.7;
const GRAM_WEIGHT = 0.25;
const GRAM_CHARS = 3;
/** FNV-1a, 32 bits (G. Fowler, L. C. Noll, K.-P. Vo). */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A text as a vector of length 1: its stems, pairs of them and the letters of its words, hashed into `dimensions`
 * places (feature hashing, K. Weinberger et al. 2009). Texts that share words are near one another; a text without a
 * word is the zero vector.
 */
export function embed(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  const add = (feature: string, weight: number): void => {
    const hash = fnv1a(feature);
    const place = hash % dimensions;
    // The sign, from a bit that the place hardly depends on, makes collisions cancel out on average.
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
  };
  const stems = keywords(text);
  stems.forEach((stem, at) => {
    add(`w ${stem}`, WORD_WEIGHT);
    if (at > 0) add(`p ${stems[at - 1]} ${stem}`, PAIR_WEIGHT);
  });
  for (const word of words(text)) {
    const framed = `<${word}>`;
    for (let at = 0; at + GRAM_CHARS <= framed.length; at++) {
      add(`g ${framed.slice(at, at + GRAM_CHARS)}`, GRAM_WEIGHT);
    }
  }
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function fnv1a(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  // The last bits of the plain hash are weak.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
