import type { ChatCompletionCreateParams } from "openai/resources";
import type { ChatMessage } from "../../core/models/models.ts";

/** How a server is asked to keep to a schema, the strictest first. */
const MODES = ["json_schema", "json_object", "text"] as const;
export type AnswerMode = (typeof MODES)[number];

/** After this long a stricter mode is tried again: servers are updated, and a refusal may have had another reason. */
const FORGET_AFTER_MS = 600_000;
/** More tasks than any server of ours is asked; a caller cannot add any. */
const MAX_TASKS = 1_000;

/** Remembers which mode a server takes for which task: some refuse a single schema, some a whole mode. */
export class AnswerModes {
  readonly #known = new Map<string, { readonly mode: AnswerMode; readonly untilMs: number }>();

  /** The modes to try for a task, in order. */
  of(task: string): readonly AnswerMode[] {
    const known = this.#known.get(task);
    if (known === undefined || known.untilMs < performance.now()) return MODES;
    return MODES.slice(MODES.indexOf(known.mode));
  }

  /** Notes the mode in which the server took the task. */
  took(task: string, mode: AnswerMode): void {
    if (mode === MODES[0] || this.of(task)[0] === mode) return;
    if (this.#known.size >= MAX_TASKS) this.#known.clear();
    this.#known.set(task, { mode, untilMs: performance.now() + FORGET_AFTER_MS });
  }
}

type Schema = Readonly<Record<string, unknown>>;

/** What a mode adds to a request: the parameter, or the schema in words where the server is not given it otherwise. */
export function inMode(
  mode: AnswerMode,
  task: string,
  schema: Schema,
  messages: readonly ChatMessage[],
): Pick<ChatCompletionCreateParams, "messages" | "response_format"> {
  if (mode === "json_schema") {
    return { messages: [...messages], response_format: { type: mode, json_schema: { name: task, schema } } };
  }
  const told = withSchema(messages, schema);
  return mode === "text" ? { messages: told } : { messages: told, response_format: { type: mode } };
}

function withSchema(messages: readonly ChatMessage[], schema: Schema): ChatMessage[] {
  const words = `The JSON Schema of the answer:\n${JSON.stringify(schema)}`;
  return messages.map((message, index) =>
    index === 0 && message.role === "system"
      ? { ...message, content: `${message.content}\n\n${words}` }
      : message,
  );
}
