import { jsonrepair } from "jsonrepair";
import { LIMITS } from "../limits.ts";

/** Longer texts are not repaired: the repair of a hostile one takes time with the square of its length. */
const MAX_REPAIR_CHARS = 16_384;
/** Where a model that thinks aloud begins its answer. */
const END_OF_THOUGHT = "</think>";

/**
 * The JSON value that a model's text holds: alone, in a fence, or among other words, and with small faults. Undefined
 * where it holds none, and for one that is nested deeper than any input may be. Its texts are such as a row can hold.
 */
export function parseAnswer(text: string): unknown {
  const thought = text.lastIndexOf(END_OF_THOUGHT);
  const said = (thought === -1 ? text : text.slice(thought + END_OF_THOUGHT.length)).trim();
  const whole = parsed(said);
  if (whole !== undefined) return shallow(whole);
  const start = said.indexOf("{");
  if (start === -1) return undefined;
  const object = said.slice(start, said.lastIndexOf("}") + 1);
  return shallow(parsed(object) ?? repaired(said.slice(start).replace(/\s*```\s*$/, "")));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function repaired(text: string): unknown {
  if (text.length > MAX_REPAIR_CHARS) return undefined;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

const shallow = (value: unknown): unknown => (isDeep(value, 0) ? undefined : tidy(value));

/** Whether a value is nested deeper than any input may be; the outermost object or array counts as 1. */
function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth >= LIMITS.jsonDepth || Object.values(value).some((item) => isDeep(item, depth + 1));
}

/** The value without NUL characters and halves of surrogate pairs. */
function tidy(value: unknown): unknown {
  if (typeof value === "string") return tidyText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(tidy);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [tidyText(key), tidy(item)]));
}

const tidyText = (text: string): string => text.replaceAll("\0", "").toWellFormed();
