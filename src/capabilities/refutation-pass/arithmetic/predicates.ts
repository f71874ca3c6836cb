import { isPerfect, isPowerOf, isPrime, isSquare, smallestFactor } from "./number-theory.ts";

/** A property of numbers, known by its words. */
export type Predicate = {
  /** Undefined where it cannot be told. */
  readonly holds: (value: number) => boolean | undefined;
  /** Why it does not hold, where there is more to say than that. */
  readonly because?: (value: number) => string | undefined;
};

/** Larger ones would take too long. */
const PERFECT_LIMIT = 1e8;
const GOLDBACH_LIMIT = 10_000;

const isWhole = (value: number): boolean => Number.isInteger(value);
const ofWhole =
  (holds: (value: number) => boolean) =>
  (value: number): boolean =>
    isWhole(value) && holds(value);

function factors(value: number): string | undefined {
  const factor = isWhole(value) && value > 1 ? smallestFactor(value) : undefined;
  return factor === undefined || factor === value ? undefined : `${value} = ${factor} * ${value / factor}`;
}

function isSumOfTwoPrimes(value: number): boolean | undefined {
  if (value > GOLDBACH_LIMIT) return undefined;
  for (let first = 2; first * 2 <= value; first++) if (isPrime(first) && isPrime(value - first)) return true;
  return false;
}

const PREDICATES: ReadonlyMap<string, Predicate> = new Map<string, Predicate>([
  ["even", { holds: ofWhole((value) => value % 2 === 0) }],
  ["odd", { holds: ofWhole((value) => Math.abs(value % 2) === 1) }],
  ["prime", { holds: isPrime, because: factors }],
  ["composite", { holds: ofWhole((value) => value > 1 && !isPrime(value)) }],
  ["positive", { holds: (value) => value > 0 }],
  ["negative", { holds: (value) => value < 0 }],
  ["nonnegative", { holds: (value) => value >= 0 }],
  ["nonzero", { holds: (value) => value !== 0 }],
  ["zero", { holds: (value) => value === 0 }],
  ["natural", { holds: ofWhole((value) => value >= 1) }],
  ["whole", { holds: isWhole }],
  ["integer", { holds: isWhole }],
  ["square", { holds: isSquare }],
  ["perfect square", { holds: isSquare }],
  ["square number", { holds: isSquare }],
  ["perfect", { holds: (value) => (value > PERFECT_LIMIT ? undefined : isPerfect(value)) }],
  ["sum of two primes", { holds: isSumOfTwoPrimes }],
  ["real", { holds: () => true }],
  ["finite", { holds: () => true }],
]);

const MULTIPLE = /^(?:divisible by|(?:a )?multiples? of) (\d{1,9})$/;
const POWER = /^(?:a )?powers? of (\d{1,9}|two|three|ten)$/;
const WORDS: Readonly<Record<string, number>> = { two: 2, three: 3, ten: 10 };

/** The predicate of words such as `prime`, `an even number`, `divisible by 3`; undefined for others. */
export function readPredicate(words: string): Predicate | undefined {
  const plain = words.toLowerCase().replace(/non-/g, "non").trim();
  const divisor = Number(MULTIPLE.exec(plain)?.[1] ?? 0);
  if (divisor > 0) return { holds: ofWhole((value) => value % divisor === 0) };
  const [, baseText = ""] = POWER.exec(plain) ?? [];
  const base = WORDS[baseText] ?? Number(baseText);
  if (base > 1) return { holds: ofWhole((value) => isPowerOf(base, value)) };
  const name = plain.replace(/^(?:an?|the) /, "");
  const noun = name.replace(/ (?:numbers?|integers?)$/, "");
  return PREDICATES.get(name) ?? PREDICATES.get(noun) ?? PREDICATES.get(noun.replace(/s$/, ""));
}
