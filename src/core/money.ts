/** MESH is counted in whole units, USD in whole micro-dollars. */
export const CURRENCIES = ["MESH", "USD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** A price or a sum: MESH in whole units, USD in whole micro-dollars. */
export type Price = { readonly currency: Currency; readonly amount: number };

/** A price in MESH. */
export const mesh = (amount: number): Price => ({ currency: "MESH", amount });

const MICRO_DIGITS = 6;
const MICROS_IN_DOLLAR = 1_000_000;
const DOLLARS = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * A price in US dollars, from a decimal string such as `"0.05"`: exactly, in whole micro-dollars.
 * Throws `RangeError` for everything else: signs, exponents, more than six decimals.
 */
export function usd(decimal: string): Price {
  const [text, dollars = "", fraction = ""] = DOLLARS.exec(decimal) ?? [];
  if (text === undefined) throw notDollars(decimal);
  return { currency: "USD", amount: Number(`${dollars}${fraction.padEnd(MICRO_DIGITS, "0")}`) };
}

const notDollars = (text: string): RangeError =>
  new RangeError(`${JSON.stringify(text)} is no amount of dollars such as "0.05".`);

/** An amount as the API shows it: MESH whole, USD as a decimal string of dollars. */
export function showAmount(amount: number, currency: Currency): number | string {
  if (currency === "MESH") return amount;
  const sign = amount < 0 ? "-" : "";
  const micros = Math.abs(amount);
  const fraction = String(micros % MICROS_IN_DOLLAR).padStart(MICRO_DIGITS, "0");
  const cents = fraction.slice(0, 2);
  const rest = fraction.slice(2).replace(/0+$/, "");
  return `${sign}${Math.floor(micros / MICROS_IN_DOLLAR)}.${cents}${rest}`;
}
