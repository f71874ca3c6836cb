import { findDates } from "./dates.ts";
import { findAll, type Found, withoutOverlaps } from "./found.ts";
import { findOrganizations, findPeople, findPlaces } from "./language.ts";

/** The kinds of values that are found in a text by their form. */
export type ValueKind =
  | "email"
  | "phone"
  | "url"
  | "date"
  | "time"
  | "amount"
  | "percent"
  | "number"
  | "identifier"
  | "role"
  | "person"
  | "place"
  | "organization";

const FINDERS: Readonly<Record<ValueKind, (text: string) => Found[]>> = {
  email: findEmails,
  phone: findPhones,
  url: findUrls,
  date: findDates,
  time: findTimes,
  amount: findAmounts,
  percent: findPercents,
  number: findNumbers,
  identifier: findIdentifiers,
  role: findRoles,
  person: findPeople,
  place: findPlaces,
  organization: findOrganizations,
};

/** The values of a kind in a text, in order: numbers for amounts, percents and numbers, dates as `YYYY-MM-DD`. */
export const findValues = (text: string, kind: ValueKind): Found[] => FINDERS[kind](text);

/** E-mail addresses as people write them. */
export function findEmails(text: string): Found<string>[] {
  return findAll(
    text,
    /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,24}\b/gi,
    ([address]) => address,
  );
}

/** Telephone numbers of 7 to 15 digits (ITU-T E.164), as the text spells them. */
export function findPhones(text: string): Found<string>[] {
  const dates = findDates(text);
  return findAll(text, /(?<![\w.@$€£])(?:\+|\(|\b)\d(?:[ ().-]{0,2}\d){6,14}(?![\w@]|[.,]\d)/g, (match) => {
    const isPhone = /^[+(]|[ ().-]/.test(match[0]) || match[0].length >= 10;
    const end = match.index + match[0].length;
    return isPhone && !dates.some((date) => date.start < end && match.index < date.end)
      ? match[0]
      : undefined;
  });
}

/** Addresses of http, https and `www.`, without the punctuation that ends their sentence. */
export function findUrls(text: string): Found<string>[] {
  return findAll(text, /\b(?:https?:\/\/|www\.)[^\s<>"'`]{3,2000}/gi, ([url]) =>
    url.replace(/[.,;:!?)\]}]+$/, ""),
  );
}

/** Times of day as `HH:MM`, 24 hours. */
export function findTimes(text: string): Found<string>[] {
  return findAll(
    text,
    /(?<![\d:.])(\d{1,2})(?::([0-5]\d))?\s?(a\.?m\.?|p\.?m\.?)?(?![\d:]|\w)/gi,
    ([, hour, minute, half]) => {
      const isHalf = half !== undefined;
      const hours = Number(hour);
      if ((minute === undefined && !isHalf) || hours > (isHalf ? 12 : 23) || (isHalf && hours === 0))
        return undefined;
      const hours24 = isHalf ? (hours % 12) + (/^p/i.test(half) ? 12 : 0) : hours;
      return `${String(hours24).padStart(2, "0")}:${minute ?? "00"}`;
    },
  );
}

const NUMBER = String.raw`\d{1,3}(?:[,.]\d{3})+(?:[.,]\d{1,2})?(?![\d])|\d+(?:[.,]\d+)?`;
const CURRENCY = "usd|eur|gbp|chf|jpy|cad|aud|inr|mesh|dollars?|euros?|pounds?|bucks";
const SCALE = "\\s?(k|m|bn|thousand|million|billion)\\b";
const AMOUNT = new RegExp(
  `(?<![\\w.])(-?)(?:(?:[$€£¥]|\\b(?:${CURRENCY})\\s)\\s?(-?(?:${NUMBER}))(?:${SCALE})?` +
    `|((?:${NUMBER}))(?:${SCALE})?\\s?(?:[€£¥]|(?:${CURRENCY})\\b))`,
  "gi",
);
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

/** Amounts of money, as numbers: `$1,234.50`, `12,50 €`, `USD 3k`, `2 million dollars`. */
export function findAmounts(text: string): Found<number>[] {
  return findAll(text, AMOUNT, ([, sign, before, scaleBefore, after, scaleAfter]) => {
    const scale = SCALES[(scaleBefore ?? scaleAfter ?? "").toLowerCase()] ?? 1;
    return parseNumber(`${sign}${before ?? after ?? ""}`) * scale;
  });
}

/** Percentages, as the number before the sign: `15 %` is 15. */
export function findPercents(text: string): Found<number>[] {
  return findAll(text, /(?<![\w.])(-?\d+(?:[.,]\d+)?)\s?(?:%|percent\b)/gi, ([, number]) =>
    parseNumber(number),
  );
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Numbers in digits, and in words from zero to twelve; none within dates, addresses, names and telephone numbers. */
export function findNumbers(text: string): Found<number>[] {
  const others = [...findDates(text), ...findEmails(text), ...findUrls(text), ...findPhones(text)];
  const inDigits = findAll(
    text,
    new RegExp(`(?<![\\w.,:@/-])-?(?:${NUMBER})(?:${SCALE})?(?![\\w@]|[.:/-]\\d)`, "gi"),
    ([all, scale]) => parseNumber(all.replace(/[^\d.,-]/g, "")) * (SCALES[(scale ?? "").toLowerCase()] ?? 1),
  ).filter((one) => !others.some((other) => other.start < one.end && one.start < other.end));
  const inWords = findAll(text, new RegExp(`\\b(?:${NUMBER_WORDS.join("|")})\\b`, "gi"), ([word]) =>
    NUMBER_WORDS.indexOf(word.toLowerCase()),
  );
  return withoutOverlaps([...inDigits, ...inWords, ...findAmounts(text)]);
}

const LABEL_REACH_CHARS = 30;
/** What a short number after it identifies. */
const NUMBERED =
  /\b(?:order|invoice|ticket|case|account|reference|ref|booking|po|id)(?: (?:no\.?|number|id))?[\s:]*$/i;

/** Identifiers such as `INV-204`, `#4521`, `A1B2C3`, and the number of `order 4521`; long numbers as well. */
export function findIdentifiers(text: string): Found<string>[] {
  const dates = findDates(text);
  return findAll(
    text,
    /(?<![\w.,$€£@/+-])#?(?:[A-Z]{1,8}[-_/]?)?\d[\dA-Z]*(?:[-_][\dA-Z]+)*(?![\w%@]|[.,:/]\d)/g,
    (match) => {
      const before = text.slice(Math.max(0, match.index - LABEL_REACH_CHARS), match.index);
      const isTelling = /[A-Z#]/.test(match[0]) || /^\d{5,}$/.test(match[0]) || NUMBERED.test(before);
      return isTelling && !dates.some(({ start, end }) => start <= match.index && match.index < end)
        ? match[0].replace(/^#/, "")
        : undefined;
    },
  );
}

const ROLE =
  /\b(?:is|was|as|am|works as|,)\s+(?:an?|the|our)\s+(?:[\w-]+[- ]year[- ]old\s+)?([a-z][\w/ -]{2,40}?)(?=\s+(?:at|from|in|for|of|with|who|and|based|living)\b|[.,;\n]|$)/gi;

/** What people are, as in `Ann is a software engineer at ...`. */
export function findRoles(text: string): Found<string>[] {
  return findAll(text, ROLE, ([, role]) => role);
}

/** Reads `1,234.56`, `1.234,56`, `12,5` and `12.5`: three digits after a comma are thousands. */
export function parseNumber(text = ""): number {
  const european = /^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(text) || /^-?\d+,(?:\d{1,2}|\d{4,})$/.test(text);
  return Number(european ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", ""));
}
