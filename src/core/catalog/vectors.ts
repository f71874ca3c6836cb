import { compileSchema, stepsInThread } from "../json-schema/compile.ts";
import { OutOfSteps, SchemaFault } from "../json-schema/faults.ts";
import type { Vector } from "./capability.ts";

/** How the replay of a vector ended: with an output, or with the code of a failure. */
export type Replay = { readonly output: unknown } | { readonly error: string };

/** Whether a replay ended as its vector says. An output is never an expected failure, nor the other way round. */
export function passes({ expect, expect_error: expectedError }: Vector, replay: Replay): boolean {
  if ("error" in replay) return replay.error === expectedError;
  return expect !== undefined && meets(replay.output, expect);
}

/** Whether an output is valid against the JSON Schema under `$schema`, where there is one, and holds all the rest. */
function meets(output: unknown, { $schema: schema, ...rest }: NonNullable<Vector["expect"]>): boolean {
  return (schema === undefined || isValid(output, schema)) && matches(output, rest);
}

/** No output is valid against what is no schema. */
function isValid(output: unknown, schema: unknown): boolean {
  try {
    return compileSchema(schema, "shape")(output, stepsInThread(output)).length === 0;
  } catch (error) {
    if (error instanceof SchemaFault || error instanceof OutOfSteps) return false;
    throw error;
  }
}

/** Whether `actual` holds all that `expected` does: objects by subset, arrays and everything else exactly. */
export function matches(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matches(actual[index], item))
    );
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
    const held = actual as Record<string, unknown>;
    return Object.entries(expected).every(
      ([key, value]) => Object.hasOwn(held, key) && matches(held[key], value),
    );
  }
  return Object.is(actual, expected);
}
