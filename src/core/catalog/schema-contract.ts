import { invalidInput } from "../errors.ts";
import { compileSchema, type SchemaCheck } from "../json-schema/compile.ts";
import { OutOfSteps, type ValueFault } from "../json-schema/faults.ts";
import { SCHEMA_LIMITS } from "../json-schema/limits.ts";
import type { Contract, JsonSchema } from "./contract.ts";

/** What a check may take of the process that it runs in, in steps. */
export type Steps = (value: unknown) => number;

/** On an event loop: some milliseconds, whatever the schema and the value are. */
const ON_EVENT_LOOP: Steps = () => SCHEMA_LIMITS.steps;

/**
 * A contract from the JSON Schemas of somebody outside. `stepsFor` says what a check may take; in a thread of its own it
 * may be `stepsInThread`. Throws `SchemaFault` for a schema that cannot be taken.
 */
export function schemaContract(
  { input, output }: { readonly input: JsonSchema; readonly output?: JsonSchema | undefined },
  stepsFor: Steps = ON_EVENT_LOOP,
): Contract {
  const takes = compileSchema(input, "contract");
  const gives: SchemaCheck = output === undefined ? () => [] : compileSchema(output, "contract");
  return {
    input,
    ...(output === undefined ? {} : { output }),
    parse: (body) => {
      const faults = faultsOf(takes, body, stepsFor);
      if (faults.length > 0)
        throw invalidInput(faults.map(({ path, message }) => ({ path: path.join("."), message })));
      return body;
    },
    check: (value) => {
      const faults = faultsOf(gives, value, stepsFor);
      return faults.length === 0
        ? { output: value }
        : { fault: new Error(faults.map(({ path, message }) => `/${path.join("/")} ${message}`).join("; ")) };
    },
  };
}

/** What cannot be checked within its steps is at fault as a whole. */
function faultsOf(check: SchemaCheck, value: unknown, stepsFor: Steps): readonly ValueFault[] {
  try {
    return check(value, stepsFor(value));
  } catch (error) {
    if (error instanceof OutOfSteps) return [{ path: [], message: error.message }];
    throw error;
  }
}
