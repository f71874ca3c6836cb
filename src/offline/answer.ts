import { extractiveAnswer } from "./extractive.ts";
import { isObject, parseJson } from "./exchange.ts";
import { findMethod } from "./methods.ts";
import type { Question } from "./question.ts";

type Data = Readonly<Record<string, unknown>>;

/**
 * The answer to a question, as the text that a model would write: by the method of the task's capability; for a task
 * without one, the schema filled from the user's text; without a schema, the sentences that answer.
 */
export async function answer(question: Question, roots: readonly string[]): Promise<string> {
  const { tier, schema, task } = question;
  const data = dataOf(question);
  const method = task === null ? undefined : await findMethod(task, roots);
  if (method !== undefined) return JSON.stringify(await method({ data, schema: schema ?? {}, tier }));
  const { fillSchema } = await import("./text/fill-schema.ts");
  if (schema !== null) return JSON.stringify(fillSchema(asText(data), schema).value);
  const text = extractiveAnswer(question);
  return question.wantsJson ? JSON.stringify({ answer: text }) : text;
}

/**
 * The JSON object of the first message of the user: later ones only ask for a better answer. A message that is no
 * object is a text.
 */
function dataOf({ messages }: Question): Data {
  const texts = messages.filter(({ role }) => role === "user").map(({ text }) => text);
  const data = parseJson(texts[0] ?? "");
  return isObject(data) ? data : { text: texts.join("\n\n") };
}

/** The data as a text with labelled fields; a single text stands for itself. */
function asText(data: Data): string {
  const entries = Object.entries(data);
  const [only] = entries;
  if (entries.length === 1 && typeof only?.[1] === "string") return only[1];
  return entries.map(([key, value]) => `${key}: ${plain(value)}`).join("\n");
}

function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `\n${value.map((item) => `- ${plain(item)}`).join("\n")}\n`;
  return isObject(value) ? `\n${asText(value)}\n` : JSON.stringify(value);
}
