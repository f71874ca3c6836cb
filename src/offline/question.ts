import type { TextTier } from "../core/models/models.ts";
import { type Body, isObject, parseJson } from "./exchange.ts";
import { ProtocolError } from "./protocol-error.ts";

export type Message = { readonly role: string; readonly text: string };

/** What a chat request asks. */
export type Question = {
  readonly tier: TextTier;
  readonly messages: readonly Message[];
  /** The slug of the capability that asks; null where nobody says. */
  readonly task: string | null;
  /** The JSON Schema of the answer; null where none is wanted. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Whether the answer must be JSON. */
  readonly wantsJson: boolean;
};

const MAX_MESSAGES = 1_000;
const TASK_LINE = /^Task: ([a-z0-9-]{3,64})[ \t]*$/m;
/** How the gateway tells a schema to servers that take none as a parameter. */
const SCHEMA_WORDS = "The JSON Schema of the answer:\n";

/** Reads a chat request's messages, task and schema. Throws `ProtocolError` for messages that are none. */
export function readQuestion(body: Body, tier: TextTier): Question {
  const messages = readMessages(body["messages"]);
  const format = isObject(body["response_format"]) ? body["response_format"] : {};
  const named = isObject(format["json_schema"]) ? format["json_schema"] : {};
  const system = messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ text }) => text)
    .join("\n");
  const toldAt = system.indexOf(SCHEMA_WORDS);
  const told = toldAt === -1 ? undefined : parseJson(system.slice(toldAt + SCHEMA_WORDS.length).trim());
  const schema = [named["schema"], told].find(isObject) ?? null;
  const name = named["name"];
  return {
    tier,
    messages,
    task: TASK_LINE.exec(system)?.[1] ?? (typeof name === "string" ? name : null),
    schema,
    wantsJson: schema !== null || format["type"] === "json_object",
  };
}

function readMessages(value: unknown): Message[] {
  const messages: unknown[] = Array.isArray(value) ? value : [];
  if (messages.length === 0 || messages.length > MAX_MESSAGES) {
    throw new ProtocolError(400, `messages must be a list of 1 to ${MAX_MESSAGES} messages.`, {
      param: "messages",
    });
  }
  return messages.map((message, index) => {
    if (!isObject(message) || typeof message["role"] !== "string") {
      throw new ProtocolError(400, `messages[${index}] must have a role.`, { param: "messages" });
    }
    return { role: message["role"], text: textOf(message["content"]) };
  });
}

/** A content is a text, or a list of parts of which the texts count. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}
