import { isNullable, resolveNode, type SchemaNode, typeOf } from "./schema-node.ts";

const DEPTH_LIMIT = 12;
const ITEMS_LIMIT = 100;
const TEXT_LIMIT_CHARS = 1_000;
/** A schema may ask for texts and lists of any length, and for lists of lists: beyond this much nothing more is made. */
const VALUES_LIMIT = 10_000;

/** How many values may still be made. */
type Budget = { left: number };

/**
 * The least value that a schema takes, for what a text says nothing of: null where it may be, its default, the first
 * of an enumeration, an empty text, zero, false, an empty list. Where the limits cut it off, it does not match.
 */
export function leastValue(
  node: SchemaNode,
  root: SchemaNode,
  depth = 0,
  budget: Budget = { left: VALUES_LIMIT },
): unknown {
  const resolved = resolveNode(node, root);
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.const !== undefined) return resolved.const;
  if (isNullable(node, root) || depth > DEPTH_LIMIT || budget.left-- <= 0) return null;
  if (resolved.enum !== undefined) return resolved.enum[0];
  switch (typeOf(resolved)) {
    case "object":
      return Object.fromEntries(
        (resolved.required ?? []).map((key) => [
          key,
          leastValue(resolved.properties?.[key] ?? {}, root, depth + 1, budget),
        ]),
      );
    case "array":
      return leastItems(resolved.minItems ?? 0, resolved.items ?? {}, root, depth + 1, budget);
    case "number":
    case "integer":
      return leastNumber(resolved);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return leastText(resolved);
  }
}

/** So many of the least value of their schema. */
export function leastItems(
  count: number,
  items: SchemaNode,
  root: SchemaNode,
  depth = 0,
  budget: Budget = { left: VALUES_LIMIT },
): unknown[] {
  const made: unknown[] = [];
  while (made.length < Math.min(count, ITEMS_LIMIT) && budget.left > 0)
    made.push(leastValue(items, root, depth, budget));
  return made;
}

function leastText({ minLength = 0, maxLength }: SchemaNode): string {
  if (minLength === 0) return "";
  return "unknown".padEnd(Math.min(minLength, TEXT_LIMIT_CHARS), ".").slice(0, maxLength);
}

/** The number nearest to zero that the bounds let through. */
function leastNumber(node: SchemaNode): number {
  const candidates = [
    0,
    node.minimum,
    node.maximum,
    beyond(node.exclusiveMinimum, 1),
    beyond(node.exclusiveMaximum, -1),
  ];
  const step = node.multipleOf ?? (typeOf(node) === "integer" ? 1 : 0);
  const stepped = candidates.flatMap((value) =>
    value === undefined
      ? []
      : step === 0
        ? [value]
        : [Math.floor(value / step) * step, Math.ceil(value / step) * step],
  );
  const fitting = stepped
    .filter((value) => fitsNumber(node, value))
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  return (
    fitting[0] ??
    ((node.minimum ?? node.exclusiveMinimum ?? 0) + (node.maximum ?? node.exclusiveMaximum ?? 0)) / 2
  );
}

const beyond = (bound: number | undefined, by: number): number | undefined =>
  bound === undefined ? undefined : bound + by;

/** Whether a number is within a schema's bounds, and whole or a multiple where it must be. */
export function fitsNumber(node: SchemaNode, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  return (
    Number.isFinite(value) &&
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || Number.isInteger(value / multipleOf)) &&
    (typeOf(node) !== "integer" || Number.isInteger(value))
  );
}
