import { invalidInput } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The keys that lead to a value, from the outside in. */
type Path = (string | number)[];

/**
 * Reads a JSON body, or throws `invalid_input`: bytes that are not UTF-8, what is not JSON, nesting past the limit, NUL
 * characters, lone surrogates (neither can be stored or hashed), and keys that reach for a prototype. An empty body is
 * an empty object. A number too large for a double is the largest one: it is out of every range, and canonical JSON
 * has no infinity.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  refuseDepth(bytes);
  return checked(parse(decode(bytes)), []);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What tells `[` from `{`, and `]` from `}`. */
const CURLY_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Before it is parsed: to build a hundred thousand levels only to refuse them takes long. */
function refuseDepth(bytes: Uint8Array): void {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if ((byte | CURLY_BIT) === OPENING) depth++;
    else if ((byte | CURLY_BIT) === CLOSING) depth--;
    if (depth > LIMITS.jsonDepth) {
      throw refused([], `The body is nested deeper than ${LIMITS.jsonDepth} levels.`);
    }
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refused([], "The body is not UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 100).toWellFormed() : "unreadable";
    throw refused([], `The body is not JSON: ${why}`);
  }
}

function checked(value: unknown, path: Path): unknown {
  if (typeof value === "string") return checkText(value, path);
  if (value === Infinity) return Number.MAX_VALUE;
  if (value === -Infinity) return -Number.MAX_VALUE;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) checkItems(value, path);
  else checkEntries(value as Record<string, unknown>, path);
  return value;
}

function checkItems(items: unknown[], path: Path): void {
  path.push(0);
  for (let index = 0; index < items.length; index++) {
    path[path.length - 1] = index;
    items[index] = checked(items[index], path);
  }
  path.pop();
}

function checkEntries(object: Record<string, unknown>, path: Path): void {
  for (const key of Object.keys(object)) {
    checkKey(key, object, path);
    path.push(key);
    object[key] = checked(object[key], path);
    path.pop();
  }
}

function checkKey(key: string, object: Readonly<Record<string, unknown>>, path: Path): void {
  checkText(key, path);
  if (key === "__proto__") throw refused(path, "The key __proto__ is not allowed.");
  if (key !== "constructor") return;
  const value = object[key];
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "prototype")) {
    throw refused(path, "The key constructor.prototype is not allowed.");
  }
}

function checkText(text: string, path: Path): string {
  if (text.includes("\0")) throw refused(path, "NUL characters are not allowed.");
  if (!text.isWellFormed()) throw refused(path, "Lone surrogates are not allowed.");
  return text;
}

const refused = (path: Path, message: string): Error => invalidInput([{ path: path.join("."), message }]);
