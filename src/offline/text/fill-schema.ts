import { findList, sectionOf } from "./fields.ts";
import { findBoolean, findMember, findNumber, findString, findStrings, type Wanted } from "./fill-leaf.ts";
import { parseNumber } from "./values.ts";
import { fitsNumber, leastItems, leastValue } from "./least-value.ts";
import { recordDivisions } from "./records.ts";
import { resolveNode, type SchemaNode, typeOf } from "./schema-node.ts";
import { SourceText } from "./source-text.ts";

/** A value that matches a schema, and what of it the text did not give. */
export type Filled = {
  readonly value: unknown;
  /** JSON Pointers (RFC 6901) of the parts that the text says nothing of: left out, or the least that matches. */
  readonly missing: readonly string[];
};

const DEPTH_LIMIT = 8;
/** Four hundred keys of the longest text; about three seconds. What is left over then counts as missing. */
const LOOKED_AT_LIMIT_CHARS = 20_000_000;
/** What a key costs in a text of no length. */
const SMALLEST_COST_CHARS = 500;
/** A record of a list counts when the text gives at least this share of its parts. */
const RECORD_SHARE = 0.5;

/**
 * Fills a JSON Schema from a text: each part with the labelled field of its name or of a synonym, else with the value
 * of its kind nearest to its words, lists of objects with the text's records. The value matches the schema's types,
 * `required`, `enum`, `const`, `items`, bounds and lengths; `pattern` and `format` are not enforced.
 */
export function fillSchema(text: string, schema: Readonly<Record<string, unknown>>): Filled {
  const filler = new Filler(schema);
  const value = filler.fill(schema, { key: "" }, "", new SourceText(text), 0);
  return { value: value ?? leastValue(schema, schema), missing: filler.missing };
}

/** The JSON Schema of values that look like an example: its keys, all required, and the types of its values. */
export function schemaOfExample(example: unknown): SchemaNode {
  if (Array.isArray(example))
    return { type: "array", items: example.length === 0 ? {} : schemaOfExample(example[0]) };
  if (typeof example === "object" && example !== null) {
    const entries = Object.entries(example).map(([key, value]) => [key, schemaOfExample(value)] as const);
    return { type: "object", properties: Object.fromEntries(entries), required: entries.map(([key]) => key) };
  }
  if (typeof example === "number" || typeof example === "boolean") return { type: typeof example };
  return { type: example === null ? ["string", "null"] : "string" };
}

/** How much of texts may still be looked at. A caller's schema can be large, and lists within lists multiply. */
type Budget = { charsLeft: number };

class Filler {
  readonly missing: string[] = [];
  readonly #root: SchemaNode;
  readonly #budget: Budget;

  constructor(root: SchemaNode, budget: Budget = { charsLeft: LOOKED_AT_LIMIT_CHARS }) {
    this.#root = root;
    this.#budget = budget;
  }

  /** The value of a part, or undefined where the text says nothing of it. */
  fill(given: SchemaNode, asked: Wanted, pointer: string, source: SourceText, depth: number): unknown {
    const node = resolveNode(given, this.#root);
    const wanted = {
      ...asked,
      ...(node.description === undefined ? {} : { description: node.description }),
      ...(node.format === undefined ? {} : { format: node.format }),
    };
    if (node.const !== undefined) return node.const;
    const canLook = depth <= DEPTH_LIMIT && this.#budget.charsLeft > 0;
    this.#budget.charsLeft -= source.text.length + SMALLEST_COST_CHARS;
    const found = canLook ? this.#find(node, wanted, pointer, source, depth) : undefined;
    if (found === undefined) this.missing.push(pointer);
    return found;
  }

  #find(node: SchemaNode, wanted: Wanted, pointer: string, source: SourceText, depth: number): unknown {
    if (node.enum !== undefined)
      return findMember(
        source,
        wanted,
        node.enum.filter((member) => member !== null),
      );
    switch (typeOf(node)) {
      case "object":
        return this.#object(node, pointer, source, depth);
      case "array":
        return this.#array(node, wanted, pointer, source, depth);
      case "number":
      case "integer":
        return findNumber(source, wanted, (value) => fitsNumber(node, value));
      case "boolean":
        return findBoolean(source, wanted);
      case "null":
        return null;
      default:
        return fitText(node, findString(source, wanted));
    }
  }

  #object(node: SchemaNode, pointer: string, source: SourceText, depth: number): unknown {
    const { properties = {}, required = [] } = node;
    if (Object.keys(properties).length === 0) return this.#map(node, source);
    const before = this.missing.length;
    const filled = Object.entries(properties).map(([key, part]) => {
      const at = `${pointer}/${escapePointer(key)}`;
      return [key, this.fill(part, { key }, at, source, depth + 1)] as const;
    });
    if (pointer !== "" && filled.every(([, value]) => value === undefined)) {
      this.missing.length = before;
      return undefined;
    }
    const entries = filled.flatMap(([key, value]) => {
      if (value !== undefined) return [[key, value]];
      return required.includes(key) ? [[key, leastValue(properties[key] ?? {}, this.#root)]] : [];
    });
    const unknown = required.filter((key) => !Object.hasOwn(properties, key));
    return Object.fromEntries([
      ...entries,
      ...unknown.map((key) => [key, findString(source, { key }) ?? ""]),
    ]);
  }

  /** An object without named parts takes the text's labelled fields. */
  #map({ additionalProperties, required = [] }: SchemaNode, source: SourceText): unknown {
    if (additionalProperties === false) return {};
    const part =
      typeof additionalProperties === "object" ? resolveNode(additionalProperties, this.#root) : {};
    const entries = source.fields.flatMap(({ label, value }) => {
      const typed = typedText(part, value);
      return typed === undefined ? [] : [[label, typed]];
    });
    const unknown = required.filter((key) => !entries.some(([label]) => label === key));
    return Object.fromEntries([...entries, ...unknown.map((key) => [key, leastValue(part, this.#root)])]);
  }

  #array(node: SchemaNode, wanted: Wanted, pointer: string, source: SourceText, depth: number): unknown {
    const items = resolveNode(node.items ?? {}, this.#root);
    const found =
      typeOf(items) === "object" || typeOf(items) === "array"
        ? this.#records(node.items ?? {}, wanted, source, depth)
        : listOf(items, wanted, source);
    if (found === undefined || found.length === 0) return node.minItems === undefined ? found : undefined;
    const padding = leastItems((node.minItems ?? 0) - found.length, node.items ?? {}, this.#root);
    padding.forEach((_, at) => this.missing.push(`${pointer}/${found.length + at}`));
    return [...found.slice(0, node.maxItems), ...padding];
  }

  /** The objects of a list: of the ways to take the text apart, the first in which records are found. */
  #records(items: SchemaNode, wanted: Wanted, source: SourceText, depth: number): unknown[] | undefined {
    const text = sectionOf(source.text, wanted.key) ?? source.text;
    let single: unknown[] | undefined;
    const keys = Object.keys(resolveNode(items, this.#root).properties ?? {});
    for (const records of recordDivisions(text, keys)) {
      const filled = this.#fillRecords(items, records, source, depth);
      if (filled.length > 1) return filled;
      if (filled.length === 1) single ??= filled;
    }
    return single;
  }

  #fillRecords(items: SchemaNode, records: readonly string[], source: SourceText, depth: number): unknown[] {
    return records.flatMap((record) => {
      const filler = new Filler(this.#root, this.#budget);
      const value = filler.fill(items, { key: "" }, "", new SourceText(record, source), depth + 1);
      const parts = Object.keys(resolveNode(items, this.#root).properties ?? {}).length;
      const isRecord =
        value !== undefined && parts - filler.missing.length >= Math.max(1, parts * RECORD_SHARE);
      return isRecord ? [value] : [];
    });
  }
}

function listOf(items: SchemaNode, wanted: Wanted, source: SourceText): unknown[] | undefined {
  const { enum: members } = items;
  if (members !== undefined) {
    return members.filter((member) => findMember(source, { key: "" }, [member]) !== undefined);
  }
  const named = findList(source.text, wanted.key, source.fields) ?? findStrings(source, wanted);
  const typed = named.flatMap((text) => typedText(items, text) ?? []);
  return typed.length === 0 ? undefined : typed;
}

/** A text as a value of a plain type; undefined where it is none. */
function typedText(node: SchemaNode, text: string): unknown {
  switch (typeOf(node)) {
    case "number":
    case "integer": {
      const value = parseNumber(/-?\d[\d.,]*/.exec(text)?.[0].replace(/[.,]$/, "") ?? "none");
      return fitsNumber(node, value) ? value : undefined;
    }
    case "boolean":
      return findBoolean(new SourceText(`it: ${text}`), { key: "it" });
    case "string":
      return fitText(node, text);
    default:
      return undefined;
  }
}

/** Cut to the longest that is let through, in code points; undefined for a text that is too short. */
function fitText({ minLength = 0, maxLength }: SchemaNode, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const points = Array.from(text);
  if (points.length < minLength) return undefined;
  return maxLength === undefined || points.length <= maxLength ? text : points.slice(0, maxLength).join("");
}

const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
