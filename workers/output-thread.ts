import type { JsonSchema } from "../src/core/catalog/contract.ts";
import { schemaContract } from "../src/core/catalog/schema-contract.ts";

/** An output to be checked, as JSON in UTF-8, and the schema that was promised. */
export type OutputTask = { readonly schema: JsonSchema; readonly json: Uint8Array };

/** Checks one output in a thread. Gives what is wrong with it, or null. */
export default function checkOutput({ schema, json }: OutputTask): string | null {
  const { check } = schemaContract({ input: {}, output: schema }, "thread");
  const checked = check(JSON.parse(new TextDecoder().decode(json)));
  return "fault" in checked ? checked.fault.message : null;
}
