import { isPerfect, isPowerOf, isPrime, isSquare, smallestFactor } from "./number-theory.ts";

/** A property of numbers, known by its words. */
export type Predicate = {
  /** Whether only whole numbers are asked for it, whether it says that a number is one, or neither. */
  readonly kind: "of whole numbers" | "wholeness" | "of any";
  /** Undefined where it cannot be told. */
  readonly holds: (value: number) => boolean | undefined;
  /** Why it does not hold, where there is more to say than that. */
  readonly because?: (value: number) => string | undefined;
};

/** Larger ones would take too long. */
const PERFECT_LIMIT = 1e8;
const GOLDBACH_LIMIT = 10_000;

const ofWhole = (
  holds: (value: number) => boolean | undefined,
  because?: (value: number) => string | undefined,
): Predicate => ({
  kind: "of whole numbers",
  holds: (value) => Number.isInteger(value) && holds(value),
  ...(because === undefined ? {} : { because }),
});
const ofAny = (holds: (value: number) => boolean): Predicate => ({ kind: "of any", holds });
const wholeness = (holds: (value: number) => boolean): Predicate => ({ kind: "wholeness", holds });

function factors(value: number): string | undefined {
  const factor = Number.isInteger(value) && value > 1 ? smallestFactor(value) : undefined;
  return factor === undefined || factor === value ? undefined : `${value} = ${factor} * ${value / factor}`;
}

function isSumOfTwoPrimes(value: number): boolean | undefined {
  if (value > GOLDBACH_LIMIT) return undefined;
  for (let first = 2; first * 2 <= value; first++) if (isPrime(first) && isPrime(value - first)) return true;
  return false;
}

const PREDICATES: ReadonlyMap<string, Predicate> = new Map([
  ["even", ofWhole((value) => value % 2 === 0)],
  ["odd", ofWhole((value) => value % 2 !== 0)],
  ["prime", ofWhole(isPrime, factors)],
  ["composite", ofWhole((value) => value > 1 && !isPrime(value))],
  ["square", ofWhole(isSquare)],
  ["perfect square", ofWhole(isSquare)],
  ["square number", ofWhole(isSquare)],
  ["perfect", ofWhole((value) => (value > PERFECT_LIMIT ? undefined : isPerfect(value)))],
  ["sum of two primes", ofWhole(isSumOfTwoPrimes)],
  ["natural", wholeness((value) => Number.isInteger(value) && value >= 1)],
  ["whole", wholeness(Number.isInteger)],
  ["integer", wholeness(Number.isInteger)],
  ["positive", ofAny((value) => value > 0)],
  ["negative", ofAny((value) => value < 0)],
  ["nonnegative", ofAny((value) => value >= 0)],
  ["nonzero", ofAny((value) => value !== 0)],
  ["zero", ofAny((value) => value === 0)],
  ["real", ofAny(() => true)],
  ["finite", ofAny(() => true)],
]);

const MULTIPLE = /^(?:divisible by|(?:a )?multiples? of) (\d{1,9})$/;
const POWER = /^(?:a )?powers? of (\d{1,9}|two|three|ten)$/;
const WORDS: Readonly<Record<string, number>> = { two: 2, three: 3, ten: 10 };

/** The predicate of words such as `prime`, `an even number`, `divisible by 3`; undefined for others. */
export function readPredicate(words: string): Predicate | undefined {
  const plain = words.toLowerCase().replace(/non-/g, "non").trim();
  const divisor = Number(MULTIPLE.exec(plain)?.[1] ?? 0);
  if (divisor > 0) return ofWhole((value) => value % divisor === 0);
  const [, baseText = ""] = POWER.exec(plain) ?? [];
  const base = WORDS[baseText] ?? Number(baseText);
  if (base > 1) return ofWhole((value) => isPowerOf(base, value));
  const name = plain.replace(/^(?:an?|the) /, "");
  const noun = name.replace(/ (?:numbers?|integers?)$/, "");
  return PREDICATES.get(name) ?? PREDICATES.get(noun) ?? PREDICATES.get(noun.replace(/s$/, ""));
}
