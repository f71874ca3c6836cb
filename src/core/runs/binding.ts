const KEY = "$fromNode";

/** Stands, in the input of a node, for a value of another node's output. */
export type Binding = { readonly $fromNode: string; readonly path: readonly (string | number)[] };

/** A value of the output of a node: the whole of it, or what stands at a path of keys and indexes. */
export const fromNode = (name: string, ...path: readonly (string | number)[]): Binding => ({
  $fromNode: name,
  path,
});

const isBinding = (value: object): value is Binding => KEY in value;

/** The names of the nodes that an input takes values from. */
export function boundNodes(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return isBinding(input) ? [input.$fromNode] : Object.values(input).flatMap(boundNodes);
}

/** The input with each binding replaced by the value it stands for. Throws, in words, where there is no such value. */
export function bound(input: unknown, outputs: ReadonlyMap<string, unknown>): unknown {
  if (typeof input !== "object" || input === null) return input;
  if (isBinding(input)) return valueAt(outputs.get(input.$fromNode), input);
  if (Array.isArray(input)) return input.map((item) => bound(item, outputs));
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, bound(value, outputs)]));
}

function valueAt(output: unknown, { $fromNode: name, path }: Binding): unknown {
  let value = output;
  for (const key of path) {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    value = isThere ? (value as Record<string | number, unknown>)[key] : undefined;
  }
  if (value === undefined)
    throw new Error(`The output of ${name} has no value at ${path.join(".") || "all"}.`);
  return value;
}
