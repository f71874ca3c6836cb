/** What one way of trying to refute a claim came to. */
export type Probe = {
  readonly attempts: readonly string[];
  /** Where the claim fails. */
  readonly counterexample?: string;
  /** How sure this way is of its result, 0 to 1. */
  readonly confidence: number;
};
