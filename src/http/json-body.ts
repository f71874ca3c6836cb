import { invalidInput } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body, or throws `invalid_input`: bytes that are not UTF-8, what is not JSON, nesting past the limit, NUL
 * characters, lone surrogates (neither can be stored or hashed), and keys that reach for a prototype. An empty body is
 * an empty object.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const value = parse(decode(bytes));
  check(value, "", 1);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refused("", "The body is not UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw refused(
      "",
      `The body is not JSON: ${error instanceof Error ? error.message.slice(0, 100) : "unreadable"}`,
    );
  }
}

function check(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") return checkText(value, path);
  if (typeof value !== "object" || value === null) return;
  if (depth > LIMITS.jsonDepth)
    throw refused("", `The body is nested deeper than ${LIMITS.jsonDepth} levels.`);
  if (Array.isArray(value)) {
    value.forEach((item, index) => check(item, `${path}${index}.`, depth + 1));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    checkKey(key, item, path);
    check(item, `${path}${key}.`, depth + 1);
  }
}

function checkKey(key: string, item: unknown, path: string): void {
  checkText(key, path);
  if (key === "__proto__") throw refused(path, "The key __proto__ is not allowed.");
  if (
    key === "constructor" &&
    typeof item === "object" &&
    item !== null &&
    Object.hasOwn(item, "prototype")
  ) {
    throw refused(path, "The key constructor.prototype is not allowed.");
  }
}

function checkText(text: string, path: string): void {
  if (text.includes("\0")) throw refused(path, "NUL characters are not allowed.");
  if (!text.isWellFormed()) throw refused(path, "Lone surrogates are not allowed.");
}

const refused = (path: string, message: string): Error =>
  invalidInput([{ path: path.replace(/\.$/, ""), message }]);
