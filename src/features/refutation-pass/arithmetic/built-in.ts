/** A function that can be called in an expression. */
export type NumberFunction = { readonly arity: number; readonly call: (values: readonly number[]) => number };

const FACTORIAL_LIMIT = 18;

const one = (call: (value: number) => number): NumberFunction => ({
  arity: 1,
  call: ([value = Number.NaN]) => call(value),
});
const two = (call: (left: number, right: number) => number): NumberFunction => ({
  arity: 2,
  call: ([left = Number.NaN, right = Number.NaN]) => call(left, right),
});

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > FACTORIAL_LIMIT) return Number.NaN;
  let product = 1;
  for (let factor = 2; factor <= value; factor++) product *= factor;
  return product;
}

/** The greatest common divisor, by Euclid; NaN for what is not whole. */
function gcd(left: number, right: number): number {
  if (!Number.isInteger(left) || !Number.isInteger(right)) return Number.NaN;
  let [a, b] = [Math.abs(left), Math.abs(right)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** The functions that every formula knows. */
export const BUILT_IN: ReadonlyMap<string, NumberFunction> = new Map([
  ["abs", one(Math.abs)],
  ["sqrt", one(Math.sqrt)],
  ["floor", one(Math.floor)],
  ["ceil", one(Math.ceil)],
  ["round", one(Math.round)],
  ["sign", one(Math.sign)],
  ["exp", one(Math.exp)],
  ["log", one(Math.log)],
  ["ln", one(Math.log)],
  ["sin", one(Math.sin)],
  ["cos", one(Math.cos)],
  ["tan", one(Math.tan)],
  ["factorial", one(factorial)],
  ["min", two(Math.min)],
  ["max", two(Math.max)],
  ["pow", two((base, exponent) => base ** exponent)],
  ["gcd", two(gcd)],
  ["lcm", two((left, right) => Math.abs(left * right) / gcd(left, right))],
]);
