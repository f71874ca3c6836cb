import { invalidInput } from "../errors.ts";
import { compileSchema, type SchemaCheck, stepsInThread } from "../json-schema/compile.ts";
import { OutOfSteps, type ValueFault } from "../json-schema/faults.ts";
import { SCHEMA_LIMITS } from "../json-schema/limits.ts";
import { knownFields } from "../json-schema/known-fields.ts";
import { unknownFields } from "./remarks.ts";
import type { Contract, ContractSchemas } from "./contract.ts";

/** Where a contract is used: a thread of its own may take steps in proportion to the value. */
export type ContractPlace = "event loop" | "thread";

/**
 * A contract from the JSON Schemas of somebody outside. On an event loop, `parse` throws `OutOfSteps` where another
 * thread has to do it, and there it refuses what takes too many; `check` gives `OutOfSteps` for the fault.
 * Throws `SchemaFault` for a schema that cannot be taken.
 */
export function schemaContract(schemas: ContractSchemas, place: ContractPlace = "event loop"): Contract {
  const takes = compileSchema(schemas.input, "contract");
  const gives: SchemaCheck =
    schemas.output === undefined ? () => [] : compileSchema(schemas.output, "contract");
  const known = knownFields(schemas.input);
  const stepsFor = (value: unknown): number =>
    place === "thread" ? stepsInThread(value) : SCHEMA_LIMITS.steps;
  return {
    ...schemas,
    parse: (body) => {
      const faults =
        place === "thread" ? atLast(() => takes(body, stepsFor(body))) : takes(body, stepsFor(body));
      if (faults.length > 0)
        throw invalidInput(faults.map(({ path, message }) => ({ path: path.join("."), message })));
      return body;
    },
    remarks: (body) => unknownFields(body, known),
    check: (value) => {
      try {
        const faults = gives(value, stepsFor(value));
        return faults.length === 0 ? { output: value } : { fault: faultOf(faults) };
      } catch (error) {
        if (error instanceof OutOfSteps) return { fault: error };
        throw error;
      }
    },
  };
}

const faultOf = (faults: readonly ValueFault[]): Error =>
  new Error(faults.map(({ path, message }) => `/${path.join("/")} ${message}`).join("; "));

/** The faults that a check finds which nothing else can make: one that runs out of steps has found the whole at fault. */
function atLast(check: () => readonly ValueFault[]): readonly ValueFault[] {
  try {
    return check();
  } catch (error) {
    if (error instanceof OutOfSteps) return [{ path: [], message: error.message }];
    throw error;
  }
}
