/** A length for a drawing: to four decimals, never minus zero. Such a number under 2^53 prints without an exponent. */
export function toFourDecimals(value: number): number {
  const rounded = Math.round(value * 10_000) / 10_000;
  return rounded === 0 ? 0 : rounded;
}
