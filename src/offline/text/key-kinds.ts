import { keyWords } from "./synonyms.ts";
import type { ValueKind } from "./values.ts";

/** What a key asks for: a value of a form, a text about the text, or `plain` where its name does not tell. */
export type KeyKind = ValueKind | "summary" | "title" | "topics" | "plain";

/** The last word of a key weighs most (`customerEmail` is an e-mail), so each row is looked for from the end. */
const KINDS: readonly (readonly [KeyKind, RegExp])[] = [
  ["email", /^e?mails?$/],
  ["phone", /^(?:tele)?(?:phones?|tel|mobile|cell|fax)$/],
  ["url", /^(?:urls?|website|links?|homepage|webpage|uri)$/],
  ["percent", /^(?:percent|percentage|pct|discount)$/],
  [
    "amount",
    /^(?:amount|price|cost|total|subtotal|fee|salary|budget|tax|vat|balance|revenue|paid|payment|spend)$/,
  ],
  ["date", /^(?:dates?|day|deadline|due|birthday|dob|born|expiry|expires|issued|departure|arrival|at)$/],
  ["time", /^time$/],
  ["identifier", /^(?:number|no|num|nr|id|ids|reference|ref|code|sku|identifier|ticket)$/],
  ["role", /^(?:job|role|occupation|profession|position)$/],
  [
    "number",
    /^(?:count|quantity|qty|age|year|years|rating|score|size|weight|height|width|length|seats|rooms|guests|stars)$/,
  ],
  [
    "person",
    /^(?:name|person|people|customers?|client|author|sender|recipient|contact|employee|manager|owner|patient|attendees?|participants?|speakers?|assignee|buyer|candidate|guest|names)$/,
  ],
  [
    "organization",
    /^(?:company|companies|organi[sz]ations?|employer|vendor|supplier|firm|merchant|seller|brand)$/,
  ],
  [
    "place",
    /^(?:city|country|place|location|town|venue|destination|origin|state|region|address|places|cities|countries)$/,
  ],
  [
    "summary",
    /^(?:summary|description|abstract|overview|synopsis|gist|content|details|notes?|message|body|text)$/,
  ],
  ["title", /^(?:title|subject|headline|heading)$/],
  ["topics", /^(?:tags?|keywords?|topics?|themes?|phrases?|categories|skills|features|subjects)$/],
];

const FORMATS: Readonly<Record<string, KeyKind>> = {
  email: "email",
  "idn-email": "email",
  uri: "url",
  url: "url",
  date: "date",
  "date-time": "date",
  time: "time",
};

/** What a key asks for, by its JSON Schema format, else by its words, the last one first. */
export function kindOfKey(key: string, format?: string): KeyKind {
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return known;
  for (const word of keyWords(key).reverse()) {
    const row = KINDS.find(([, pattern]) => pattern.test(word));
    if (row !== undefined) return row[0];
  }
  return "plain";
}
