import type { Remarks } from "./remarks.ts";

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a capability takes and gives, for those who show it, and for those who check it. */
export type Contract = {
  readonly input: JsonSchema;
  /** Absent where nothing is promised. */
  readonly output?: JsonSchema;
  /** Both once more as OpenAPI 3.0 can say them; absent where that would say less than a link to the schema. */
  readonly openApi?: { readonly input: JsonSchema; readonly output: JsonSchema };
  /**
   * The input that a handler is given, from the body of a call.
   * Throws `AppError` `invalid_input` with every fault, or the `Refusal` that the capability makes of it; `OutOfSteps`
   * where that takes longer than an event loop may be held.
   */
  readonly parse: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** What of a body was not taken, or taken otherwise than it stands there, from what `parse` gave for it. */
  readonly remarks: (
    body: Readonly<Record<string, unknown>>,
    input: Readonly<Record<string, unknown>>,
  ) => Remarks;
  /** The output as it is stored, or why it is none. Never throws. */
  readonly check: (output: unknown) => Checked;
};

/** A contract that is made of schemas alone. */
export type ContractSchemas = { readonly input: JsonSchema; readonly output?: JsonSchema };

export type Checked = { readonly output: unknown } | { readonly fault: Error };
