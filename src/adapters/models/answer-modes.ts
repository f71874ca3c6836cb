import type { ChatCompletionCreateParams } from "openai/resources";

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

/** The parameter of a request that asks for a mode; the schema in words stands in the instructions in any case. */
export function formatOf(
  mode: AnswerMode,
  name: string,
  schema: Readonly<Record<string, unknown>>,
): Pick<ChatCompletionCreateParams, "response_format"> {
  if (mode === "text") return {};
  if (mode === "json_object") return { response_format: { type: mode } };
  return { response_format: { type: mode, json_schema: { name, schema } } };
}
