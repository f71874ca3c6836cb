import { parseNumber } from "./values.ts";

const DIGITS = String.raw`\d[\d.,]{0,12}`;
/** A plain whole number is no price: it could count anything. */
const MONEY = String.raw`[$€£¥] ?${DIGITS}|${DIGITS} ?(?:[€£¥]|(?:usd|eur|gbp|dollars?|euros?|pounds?)\b)|\d{1,9}[.,]\d\d\b`;
const QUANTITY = String.raw`(?<![#\p{L}\p{N}.,$€£¥-])(\d{1,5})`;
const THING = String.raw`(\p{L}[\p{L}'&-]{0,30}(?: [\p{L}\p{N}][\p{L}\p{N}'"&-]{0,30}){0,4}?)`;

/** How orders and invoices write a line: `Lamp, 2 x $5.00`, `3 laptops at $999 each`, `2x Tea - £1.50`. */
const FORMS: readonly { readonly pattern: RegExp; readonly order: readonly string[] }[] = [
  {
    pattern: new RegExp(`${THING} ?[,:(–-]? ?${QUANTITY} ?(?:[x×@]|at) ?(${MONEY})`, "giu"),
    order: ["thing", "quantity", "price"],
  },
  {
    pattern: new RegExp(`${QUANTITY} ?[x×]? ${THING} ?(?:at|@|for|[-–:,(]) ?(${MONEY})`, "giu"),
    order: ["quantity", "thing", "price"],
  },
];

/**
 * The lines of an order or an invoice in a text, in order, as labelled fields: what it is, how many, the price of one
 * and their sum. Empty where no line has all of them.
 */
export function lineItems(text: string): string[] {
  const found = FORMS.map(({ pattern, order }) =>
    [...text.matchAll(pattern)].map((match) => record(match, order)),
  );
  return found.reduce((most, records) => (records.length > most.length ? records : most), []);
}

function record(match: RegExpExecArray, order: readonly string[]): string {
  const part = (name: string): string => (match[order.indexOf(name) + 1] ?? "").trim();
  const [thing, quantity, price] = [part("thing"), part("quantity"), part("price")];
  const amount = parseNumber(price.replace(/[^\d.,]/g, "").replace(/[.,]$/, ""));
  const sum = Math.round(Number(quantity) * amount * 100) / 100;
  return [
    ...["item", "name", "product", "description", "title"].map((label) => `${label}: ${thing}`),
    `quantity: ${quantity}`,
    ...["price", "unit price"].map((label) => `${label}: ${amount}`),
    ...["total", "line total"].map((label) => `${label}: ${sum}`),
  ].join("\n");
}
