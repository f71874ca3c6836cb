/** The parts of JSON Schema that are filled from a text; everything else in a schema is passed over. */
export type SchemaNode = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly $ref?: string;
};

const REFERENCES_LIMIT = 16;

/** A node with its references followed and its alternatives settled: the first one that is more than null. */
export function resolveNode(node: SchemaNode, root: SchemaNode): SchemaNode {
  let resolved = node;
  for (let step = 0; step < REFERENCES_LIMIT; step++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = resolved;
    const alternatives = anyOf ?? oneOf;
    if ($ref !== undefined) resolved = { ...follow($ref, root), ...rest };
    else if (allOf !== undefined) resolved = allOf.reduce<SchemaNode>(merge, rest);
    else if (alternatives !== undefined) {
      resolved = { ...rest, ...(alternatives.find((one) => one.type !== "null") ?? { type: "null" }) };
    } else return resolved;
  }
  return {};
}

/** Whether a node lets null stand for a value that is not there. */
export function isNullable(node: SchemaNode, root: SchemaNode): boolean {
  const alternatives = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  const { type, enum: members } = resolveNode(node, root);
  return (
    alternatives.some((one) => one.type === "null") ||
    type === "null" ||
    (Array.isArray(type) && type.includes("null")) ||
    members?.includes(null) === true
  );
}

/** The type that a node is filled as. A node without one is an object where it has properties, else a text. */
export function typeOf({ type, properties, items, enum: members, const: constant }: SchemaNode): string {
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type;
  if (typeof named === "string") return named;
  if (properties !== undefined) return "object";
  if (items !== undefined) return "array";
  return members === undefined && constant === undefined ? "string" : "enum";
}

function follow(reference: string, root: SchemaNode): SchemaNode {
  if (!reference.startsWith("#")) return {};
  let node: unknown = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    node =
      typeof node === "object" && node !== null && Object.hasOwn(node, key)
        ? Reflect.get(node, key)
        : undefined;
  }
  return typeof node === "object" && node !== null ? node : {};
}

const merge = (one: SchemaNode, other: SchemaNode): SchemaNode => ({
  ...one,
  ...other,
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});
