import { findAll, type Found, withoutOverlaps } from "./found.ts";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const YEAR = "((?:1[6-9]|2\\d)\\d{2})";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";

const ISO = new RegExp(`(?<![\\d-])${YEAR}[-/](\\d{1,2})[-/](\\d{1,2})(?!\\d)`, "g");
const DAY_FIRST = new RegExp(`\\b${DAY}\\s+(?:of\\s+)?(${MONTH}),?\\s+${YEAR}\\b`, "gi");
const MONTH_FIRST = new RegExp(`\\b(${MONTH})\\s+${DAY},?\\s+${YEAR}\\b`, "gi");
const SLASHED = new RegExp(`(?<![\\d/])(\\d{1,2})/(\\d{1,2})/${YEAR}(?!\\d)`, "g");
const DOTTED = new RegExp(`(?<![\\d.])(\\d{1,2})\\.\\s?(\\d{1,2})\\.\\s?${YEAR}(?!\\d)`, "g");

/**
 * The dates of a text as `YYYY-MM-DD`: ISO, `3 March 2026`, `March 3rd, 2026`, `21.11.2026`, and with slashes the month
 * first as in the United States, unless it cannot be one. A date without a year, and one that no calendar has, is none.
 */
export function findDates(text: string): Found<string>[] {
  return withoutOverlaps([
    ...findAll(text, ISO, ([, year, month, day]) => isoDate(year, month, day)),
    ...findAll(text, DAY_FIRST, ([, day, month, year]) => isoDate(year, monthNumber(month), day)),
    ...findAll(text, MONTH_FIRST, ([, month, day, year]) => isoDate(year, monthNumber(month), day)),
    ...findAll(text, SLASHED, ([, a, b, year]) => isoDate(year, a, b) ?? isoDate(year, b, a)),
    ...findAll(text, DOTTED, ([, day, month, year]) => isoDate(year, month, day)),
  ]);
}

const monthNumber = (name = ""): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);

function isoDate(year = "", month = "", day = ""): string | undefined {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // A Date rolls 31 April over into May.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}
