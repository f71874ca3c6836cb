import { hash } from "node:crypto";
import canonicalize from "canonicalize";

/** Deeper values, which may be circles, are left to `canonicalize`, which does not recurse. */
const QUICK_DEPTH = 100;

/** Stands for a value that JSON.stringify and RFC 8785 may write differently. */
const UNFIT = Symbol("unfit");

/**
 * The canonical JSON text of a value (RFC 8785): the same for the same data, whatever the order of its keys. Throws
 * for what has none: undefined, numbers that are none, circles, halves of surrogate pairs.
 */
export function canonicalJson(value: unknown): string {
  const text = quickJson(value) ?? canonicalize(value);
  if (text === undefined) throw new TypeError("This value has no JSON form.");
  return text;
}

/**
 * What JSON.stringify writes of a value with its keys in order, which the RFC took its form from, and which takes a
 * third of the time; undefined where the two may differ.
 */
function quickJson(value: unknown): string | undefined {
  const ordered = inOrder(value, 0);
  if (ordered === UNFIT) return undefined;
  const text = JSON.stringify(ordered) as string | undefined;
  // Half of a surrogate pair is written as an escape, and has no canonical form.
  return text?.includes(String.raw`\ud`) === true ? undefined : text;
}

/** The value with the keys of its objects in order, itself where they are already; or UNFIT. */
function inOrder(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
      return Number.isFinite(value) ? value : UNFIT;
    case "object":
      if (value === null) return value;
      if (depth === QUICK_DEPTH) return UNFIT;
      if (Array.isArray(value)) return itemsInOrder(value, depth + 1);
      return isPlain(value) ? keysInOrder(value, depth + 1) : UNFIT;
    default:
      return UNFIT;
  }
}

function itemsInOrder(items: readonly unknown[], depth: number): unknown {
  let ordered: unknown[] | undefined;
  for (let nth = 0; nth < items.length; nth++) {
    const next = inOrder(items[nth], depth);
    if (next === UNFIT) return UNFIT;
    if (next !== items[nth]) (ordered ??= [...items])[nth] = next;
  }
  return ordered ?? items;
}

function keysInOrder(object: Readonly<Record<string, unknown>>, depth: number): unknown {
  let ordered: Record<string, unknown> | undefined;
  let isSorted = true;
  let before = "";
  // In a plain object these are its own keys, and they come three times as fast as from Object.keys.
  for (const key in object) {
    if (isPeculiar(key)) return UNFIT;
    if (key < before) isSorted = false;
    before = key;
    const value = object[key];
    const next = inOrder(value, depth);
    if (next === UNFIT) return UNFIT;
    if (next !== value) (ordered ??= { ...object })[key] = next;
  }
  return isSorted ? (ordered ?? object) : sorted(ordered ?? object);
}

function sorted(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) copy[key] = object[key];
  return copy;
}

const isPlain = (value: object): value is Readonly<Record<string, unknown>> => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Objects put keys that are whole numbers before all others, and take `__proto__` for something else. */
const isPeculiar = (key: string): boolean => {
  const first = key.charCodeAt(0);
  return (first >= 48 && first <= 57) || key === "__proto__";
};

/** SHA-256 in lowercase hex. */
export const sha256Hex = (data: string | Uint8Array): string => hash("sha256", data, "hex");
