/** An exact rational number in lowest terms, with a positive denominator. */
export type Fraction = { readonly top: bigint; readonly bottom: bigint };

const DECIMALS_SHOWN = 10;
/** More bits than this in a result are no longer arithmetic that a person asks for. */
const BITS_LIMIT = 4_096;

/** The fraction `top / bottom` in lowest terms; undefined for a division by zero or a number beyond the limit. */
export function fraction(top: bigint, bottom = 1n): Fraction | undefined {
  if (bottom === 0n || isHuge(top) || isHuge(bottom)) return undefined;
  const divisor = greatestCommonDivisor(abs(top), abs(bottom)) * (bottom < 0n ? -1n : 1n);
  return { top: top / divisor, bottom: bottom / divisor };
}

/** Reads an unsigned decimal such as `1,234.50`, exactly. */
export function parseDecimal(text: string): Fraction | undefined {
  const [whole = "", decimals = ""] = text.replaceAll(",", "").split(".");
  return fraction(BigInt(`${whole}${decimals}` || "0"), 10n ** BigInt(decimals.length));
}

export const add = (a: Fraction, b: Fraction): Fraction | undefined =>
  fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);

export const multiply = (a: Fraction, b: Fraction): Fraction | undefined =>
  fraction(a.top * b.top, a.bottom * b.bottom);

export const divide = (a: Fraction, b: Fraction): Fraction | undefined =>
  fraction(a.top * b.bottom, a.bottom * b.top);

export const negate = (a: Fraction): Fraction => ({ top: -a.top, bottom: a.bottom });

/** `base` to a whole power; undefined for one that is not whole, or too large. */
export function power(base: Fraction, exponent: Fraction): Fraction | undefined {
  if (exponent.bottom !== 1n || abs(exponent.top) > BITS_LIMIT) return undefined;
  const times = abs(exponent.top);
  const bits = BigInt(Math.max(bitLength(base.top), bitLength(base.bottom)));
  if (bits > 1n && bits * times > BITS_LIMIT) return undefined;
  const [top, bottom] = [base.top ** times, base.bottom ** times];
  return exponent.top < 0n ? fraction(bottom, top) : fraction(top, bottom);
}

/** Whether the number has a finite decimal form of at most ten decimals. */
export const isShortDecimal = ({ top, bottom }: Fraction): boolean =>
  (top * 10n ** BigInt(DECIMALS_SHOWN)) % bottom === 0n;

/** The number in decimal digits, rounded half away from zero at the tenth decimal, without trailing zeros. */
export function formatDecimal({ top, bottom }: Fraction): string {
  const scale = 10n ** BigInt(DECIMALS_SHOWN);
  const scaled = (abs(top) * scale * 2n + bottom) / (bottom * 2n);
  const decimals = (scaled % scale).toString().padStart(DECIMALS_SHOWN, "0").replace(/0+$/, "");
  const sign = top < 0n && scaled !== 0n ? "-" : "";
  return `${sign}${scaled / scale}${decimals === "" ? "" : `.${decimals}`}`;
}

const abs = (n: bigint): bigint => (n < 0n ? -n : n);
const bitLength = (n: bigint): number => abs(n).toString(2).length;
/** Hexadecimal digits are cheap to count. */
const isHuge = (n: bigint): boolean => abs(n).toString(16).length * 4 > BITS_LIMIT;

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large;
}
