import { stem } from "./stem.ts";

/** Words that label the same thing in forms, invoices, mails and tickets. The first of a line is the plainest. */
const GROUPS = [
  ["name", "full name", "called", "named"],
  ["customer", "client", "buyer", "bill to", "billed to", "sold to", "ordered by"],
  ["company", "organization", "organisation", "firm", "employer", "business"],
  ["vendor", "supplier", "seller", "merchant", "sold by"],
  ["email", "e-mail", "mail", "email address"],
  ["phone", "telephone", "tel", "mobile", "cell", "phone number"],
  ["website", "url", "link", "homepage", "web", "site"],
  ["address", "street", "location"],
  ["city", "town"],
  ["country", "nation"],
  ["date", "dated", "on"],
  ["due", "deadline", "due date", "due on", "due by", "payable by", "pay by"],
  ["start", "from", "begin", "begins", "starts", "check in", "arrival", "departs"],
  ["end", "to", "until", "till", "through", "ends", "check out", "departure"],
  ["birthday", "born", "date of birth", "birth date", "dob"],
  ["total", "grand total", "amount due", "total due", "sum", "in total"],
  ["subtotal", "net"],
  ["tax", "vat", "gst"],
  ["price", "cost", "costs", "rate", "fee", "each", "per unit"],
  ["amount", "sum", "total", "value"],
  ["budget", "spend up to"],
  ["salary", "pay", "wage", "compensation", "earns"],
  ["quantity", "qty", "count", "pieces", "units", "number of"],
  ["number", "no", "num", "nr", "#", "id", "reference", "ref"],
  ["invoice", "bill"],
  ["order", "purchase order", "po"],
  ["age", "aged", "years old", "year old"],
  ["title", "subject", "headline", "topic"],
  ["role", "position", "job title", "occupation", "job"],
  ["description", "details", "summary", "about", "notes"],
  ["status", "state", "condition"],
  ["priority", "urgency", "severity"],
  ["author", "written by", "by", "writer"],
  ["sender", "from", "signed", "regards"],
  ["recipient", "to", "dear", "attention"],
  ["rating", "score", "stars", "out of"],
  ["skills", "expertise", "technologies", "proficient in"],
  ["duration", "length", "lasts", "takes"],
  ["currency", "in"],
] as const;

/**
 * The words of a key in small letters: `invoiceDate`, `invoice_date` and `invoice-date` are `invoice`, `date`.
 */
export function keyWords(key: string): string[] {
  return (
    key
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The labels under which a text may give a key: the key itself first, then what its words are also called. */
export function labelsFor(key: string): string[] {
  const own = keyWords(key);
  const phrase = own.join(" ");
  const wholes = GROUPS.filter((group) => group.some((label) => label === phrase)).flat();
  const swapped = own.flatMap((word, at) => synonymsOf(word).map((other) => own.with(at, other).join(" ")));
  return [...new Set([phrase, ...wholes, ...swapped])].filter(Boolean);
}

/** What else a word is called in a label; itself first. */
export function synonymsOf(word: string): string[] {
  const wanted = stem(word);
  const groups = GROUPS.filter((group) => group.some((label) => stem(label) === wanted));
  return [...new Set([word, ...groups.flat()])];
}
