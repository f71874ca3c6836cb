import type { SEVERITIES } from "./index.ts";

/** One thing that frameworks ask for. */
export type Topic = {
  /** Words and phrases by which a scope shows that it is there, in any inflected form. */
  readonly terms: readonly string[];
  /** What is missing where the scope says nothing of it: the end of "The scope does not say ...". */
  readonly asks: string;
  readonly recommendation: string;
  /** How much it weighs that a scope says nothing of it. */
  readonly severity: (typeof SEVERITIES)[number];
  /** The terms are what must not be there. */
  readonly isForbidden?: boolean;
};
