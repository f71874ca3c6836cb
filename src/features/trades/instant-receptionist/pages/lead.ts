import type { Lead } from "../leads.ts";
import type { Question } from "../reception.ts";

/** The longest of each field, in characters, as the form says it, too. */
export const FIELD_CHARS = { name: 80, phone: 40, email: 254, message: 2_000, answer: 300 } as const;

/** A field that people do not see: what fills it is no person. */
export const TRAP = "homepage";

/** What was sent, as it was written: to be shown again when something is missing. */
export type Fields = ReadonlyMap<string, string>;

/** The name of a question's field. */
export const questionField = (index: number): string => `q${index}`;

/** What is wrong, by the name of the field. */
export type Faults = ReadonlyMap<string, string>;

/** Reads a body of `application/x-www-form-urlencoded`; of several fields of one name the first counts. */
export function fieldsOf(body: string): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (!fields.has(name)) fields.set(name, plain(value));
  }
  return fields;
}

/** Without what is no text: a NUL cannot be stored, and other control characters are nothing to read. */
const plain = (value: string): string =>
  value.replaceAll("\r\n", "\n").replace(/[^\P{Cc}\n\t]/gu, "").trim(); // prettier-ignore

/** The lead in the fields, or what is wrong with them. */
export function leadOf(fields: Fields, questions: readonly Question[]): { lead: Lead } | { faults: Faults } {
  const faults = new Map<string, string>();
  const read = (name: string, most: number): string | null => {
    const value = fields.get(name) ?? "";
    if (value.length > most) faults.set(name, `Please keep it to ${most} characters.`);
    return value === "" ? null : value;
  };
  const name = read("name", FIELD_CHARS.name);
  const phone = read("phone", FIELD_CHARS.phone);
  const email = read("email", FIELD_CHARS.email);
  const message = read("message", FIELD_CHARS.message);
  const answers = questions.flatMap(({ label }, index) => {
    const answer = read(questionField(index), FIELD_CHARS.answer);
    return answer === null ? [] : [{ question: label, answer }];
  });
  if (name === null) faults.set("name", "Please tell us your name.");
  if (phone === null && email === null) {
    faults.set("phone", "Please leave a phone number or an email address, so that we can answer.");
  }
  if (phone !== null && !/\d.*\d.*\d/.test(phone)) faults.set("phone", "This does not look like a number.");
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    faults.set("email", "This does not look like an email address.");
  }
  if (name === null || faults.size > 0) return { faults };
  return { lead: { name, phone, email, message, answers } };
}
