const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether a month has such a day. The 29th of February counts: most numbers keep only two digits of the year. */
export const isDay = (month: number, day: number): boolean => day >= 1 && day <= (DAYS[month - 1] ?? 0);

/** Whether `YYMMDD` stands at an offset of a number. */
export const hasYymmdd = (digits: string, offset = 0): boolean =>
  isDay(Number(digits.slice(offset + 2, offset + 4)), Number(digits.slice(offset + 4, offset + 6)));

/** Whether `DDMMYY` stands at an offset of a number. */
export const hasDdmmyy = (digits: string, offset = 0): boolean =>
  isDay(Number(digits.slice(offset + 2, offset + 4)), Number(digits.slice(offset, offset + 2)));

const OLDEST_YEAR = 1880;
const LATEST_YEAR = 2099;

/** Whether `YYYYMMDD` with a year in which a living person may be born stands at an offset of a number. */
export function hasYyyymmdd(digits: string, offset = 0): boolean {
  const year = Number(digits.slice(offset, offset + 4));
  return year >= OLDEST_YEAR && year <= LATEST_YEAR && hasYymmdd(digits, offset + 2);
}
