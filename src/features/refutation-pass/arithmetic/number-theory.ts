/** Deterministic for all numbers under 3.3e24: J. Sorenson and J. Webster, "Strong pseudoprimes to twelve prime bases", 2017. */
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n];
const FACTOR_LIMIT = 2_000_000;

/** Whether a whole number is prime, by the test of Miller and Rabin with bases that leave no doubt. */
export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2) return false;
  for (const witness of WITNESSES) {
    if (value === Number(witness)) return true;
    if (value % Number(witness) === 0) return false;
  }
  const n = BigInt(value);
  let odd = n - 1n;
  let twos = 0;
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    twos++;
  }
  return WITNESSES.every((witness) => passes(witness, n, odd, twos));
}

function passes(witness: bigint, n: bigint, odd: bigint, twos: number): boolean {
  let x = powerModulo(witness, odd, n);
  if (x === 1n || x === n - 1n) return true;
  for (let round = 1; round < twos; round++) {
    x = (x * x) % n;
    if (x === n - 1n) return true;
  }
  return false;
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The smallest factor of a whole number above 1, itself if it is prime; undefined if none is found under 2,000,000. */
export function smallestFactor(value: number): number | undefined {
  if (isPrime(value)) return value;
  for (let factor = 2; factor <= FACTOR_LIMIT && factor * factor <= value; factor++) {
    if (value % factor === 0) return factor;
  }
  return undefined;
}

/** Whether a whole number is a square. */
export const isSquare = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && Math.round(Math.sqrt(value)) ** 2 === value;

/** Whether a number is a whole power of `base`, 1 counting as one. */
export function isPowerOf(base: number, value: number): boolean {
  if (!Number.isInteger(value) || value < 1) return false;
  let rest = value;
  while (rest % base === 0) rest /= base;
  return rest === 1;
}

/** Whether a number is the sum of its divisors but itself. */
export function isPerfect(value: number): boolean {
  if (!Number.isInteger(value) || value < 2) return false;
  let sum = 1;
  for (let divisor = 2; divisor * divisor <= value; divisor++) {
    if (value % divisor === 0) sum += divisor + (divisor * divisor === value ? 0 : value / divisor);
  }
  return sum === value;
}
