/** A schema that cannot be used, and why, in words for its author. */
export class SchemaFault extends Error {
  override readonly name = "SchemaFault";
}

/** A check that took more steps than it had. */
export class OutOfSteps extends Error {
  override readonly name = "OutOfSteps";

  constructor(steps: number) {
    super(`It takes more than ${steps} steps to check.`);
  }
}

/** What is wrong with a part of a value, and where that stands. */
export type ValueFault = { readonly path: readonly (string | number)[]; readonly message: string };
