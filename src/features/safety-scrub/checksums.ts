/** The digit at a place of a number. */
const digitAt = (digits: string, place: number): number => digits.charCodeAt(place) - 48;

/** The sum of digits times weights, from the left; further digits are left out. */
export function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let place = 0; place < weights.length; place++) sum += (weights[place] ?? 0) * digitAt(digits, place);
  return sum;
}

/** The Luhn check over the digits of a text or a part of it, whatever else stands between (ISO/IEC 7812-1, annex B). */
export function luhn(text: string, start = 0, end = text.length): boolean {
  let sum = 0;
  let double = false;
  for (let place = end - 1; place >= start; place--) {
    const digit = digitAt(text, place);
    if (digit < 0 || digit > 9) continue;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    double = !double;
  }
  return sum % 10 === 0;
}

/** ISO/IEC 7064 MOD 11,10 over a whole number. */
export function mod11And10(digits: string): boolean {
  let product = 10;
  for (let place = 0; place < digits.length - 1; place++) {
    const sum = (digitAt(digits, place) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** EAN-13, as GS1 defines it: weights 1 and 3 in turn. */
export const ean13 = (digits: string): boolean =>
  weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** Multiplication in the dihedral group of ten elements: rotations 0 to 4, reflections 5 to 9. */
function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const;
/** What the permutation makes of each digit when applied 0 to 7 times. */
const PERMUTATIONS = permutations();

function permutations(): readonly (readonly number[])[] {
  const rows = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]];
  while (rows.length < 8) rows.push((rows.at(-1) ?? []).map((digit) => PERMUTATION[digit] ?? 0));
  return rows;
}

/** The Verhoeff check over a whole number (J. Verhoeff, Error Detecting Decimal Codes, 1969). */
export function verhoeff(digits: string): boolean {
  let state = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digitAt(digits, digits.length - 1 - place);
    state = dihedral(state, PERMUTATIONS[place % 8]?.[digit] ?? 0);
  }
  return state === 0;
}
