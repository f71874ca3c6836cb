import { readPredicate } from "./predicates.ts";

/** The numbers that a claim speaks of. */
export type Domain = {
  readonly admits: (value: number) => boolean;
  /** Whether they are whole; undefined where the claim does not say. */
  readonly whole: boolean | undefined;
};

export const ANY_NUMBER: Domain = { admits: () => true, whole: undefined };

const NOUN = /^(?:numbers?|values?)$/;
const BOUNDS: readonly (readonly [RegExp, (value: number, bound: number, other: number) => boolean])[] = [
  [
    / (?:greater|larger|bigger|more) than (-?\d{1,15})$| above (-?\d{1,15})$| > ?(-?\d{1,15})$/,
    (value, bound) => value > bound,
  ],
  [
    / (?:less|smaller) than (-?\d{1,15})$| below (-?\d{1,15})$| under (-?\d{1,15})$| < ?(-?\d{1,15})$/,
    (value, bound) => value < bound,
  ],
  [
    / (?:from|between) (-?\d{1,15}) (?:to|and) (-?\d{1,15})$/,
    (value, low, high) => value >= low && value <= high,
  ],
];

/** The domain of words such as `positive odd integers` or `even number greater than 2`; undefined for others. */
export function readDomain(words: string): Domain | undefined {
  const plain = ` ${words.toLowerCase().replace(/non-/g, "non").trim()}`;
  for (const [pattern, holds] of BOUNDS) {
    const match = pattern.exec(plain);
    if (match === null) continue;
    const [low = 0, high = 0] = match
      .slice(1)
      .filter((text) => text !== undefined)
      .map(Number);
    const rest = readDomain(plain.slice(0, match.index));
    return rest && { ...rest, admits: (value) => rest.admits(value) && holds(value, low, high) };
  }
  const predicate = readPredicate(plain.trim());
  if (predicate !== undefined && predicate.kind !== "of any") {
    return { whole: true, admits: (value) => predicate.holds(value) === true };
  }
  return plain.trim().split(" ").filter(Boolean).reduce(narrowed, ANY_NUMBER);
}

function narrowed(domain: Domain | undefined, word: string): Domain | undefined {
  if (domain === undefined) return undefined;
  if (NOUN.test(word)) return { ...domain, whole: domain.whole ?? false };
  const predicate = readPredicate(word);
  return (
    predicate && {
      whole:
        predicate.kind === "of any" ? (domain.whole ?? (word.startsWith("real") ? false : undefined)) : true,
      admits: (value) => domain.admits(value) && predicate.holds(value) === true,
    }
  );
}
