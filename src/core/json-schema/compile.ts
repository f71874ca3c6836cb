import { admit, type SchemaUse } from "./admit.ts";
import type { ValueFault } from "./faults.ts";
import { SCHEMA_LIMITS } from "./limits.ts";
import { apply, type Compiler, type Node, stepsOfText } from "./node.ts";
import { rulesOf } from "./rules.ts";
import { Run, Seen } from "./run.ts";
import type { SchemaObject } from "./vocabulary.ts";

export type JsonSchema = SchemaObject;

/** What is wrong with a value: at most `SCHEMA_LIMITS.faultsShown`; none with a valid one. Throws `OutOfSteps`. */
export type SchemaCheck = (value: unknown, steps: number) => readonly ValueFault[];

/**
 * Compiles a JSON Schema (2020-12, or draft-07 where `$schema` says so) that somebody outside has written, into
 * functions: no code is generated, nothing is fetched, and a check ends after so many steps, whatever the schema is.
 * Throws `SchemaFault` for a schema that breaks a limit, is malformed, or refers to what it does not hold.
 */
export function compileSchema(given: unknown, use: SchemaUse): SchemaCheck {
  const { root, schemas, at } = admit(given, use);
  const nodes = new Map<SchemaObject, Node>();
  const compiler: Compiler = {
    at,
    // In 2020-12 a format says by default only what is meant.
    formats: use === "shape",
    marking: schemas.some(
      (schema) =>
        typeof schema === "object" && ("unevaluatedItems" in schema || "unevaluatedProperties" in schema),
    ),
    nodeOf: (schema) => {
      if (typeof schema === "boolean") return schema ? ANYTHING : NOTHING;
      const known = nodes.get(schema);
      if (known !== undefined) return known;
      const node: Node = { rules: [] };
      // Known before its rules are made: they may refer to it.
      nodes.set(schema, node);
      node.rules.push(...rulesOf(schema, compiler));
      return node;
    },
  };
  // What nothing refers to is compiled as well: its patterns must be good.
  for (const schema of schemas) compiler.nodeOf(schema);
  const node = compiler.nodeOf(root);
  return (value, steps) => {
    const run = new Run(steps);
    apply(node, value, run, compiler.marking ? new Seen() : null);
    return run.faults;
  };
}

const ANYTHING: Node = { rules: [] };
const NOTHING: Node = { rules: [(_value, run) => run.fail("is not allowed")], nothing: true };

/** How many steps the check of a value may take away from an event loop: in proportion to its parts. */
export const stepsInThread = (value: unknown): number =>
  Math.max(SCHEMA_LIMITS.steps, SCHEMA_LIMITS.stepsPerValue * partsOf(value));

/** How many values a value consists of, itself included; a long text counts for as many as it takes steps to read. */
function partsOf(value: unknown): number {
  if (typeof value === "string") return 1 + stepsOfText(value.length);
  if (typeof value !== "object" || value === null) return 1;
  let parts = 1;
  for (const part of Object.values(value)) parts += partsOf(part);
  return parts;
}

/** Whether a JSON value nests deeper than `levels`; the outermost object or array counts as 1. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1));
}
