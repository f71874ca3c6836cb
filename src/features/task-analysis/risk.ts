/** How grave a risk is: 3 forbids to start, 2 asks for caution, two of 1 as well. */
export type Weight = 1 | 2 | 3;

/** A kind of risk and what speaks of it. */
export type Risk = {
  readonly any: readonly string[];
  readonly none?: readonly string[];
  readonly weight: Weight;
  /** What may happen; the words of the task that speak of it are added. */
  readonly says: string;
  /** A step that makes it smaller, and where it belongs. */
  readonly safeguard?: { readonly step: string; readonly when: "first" | "last" };
  /** Where the task says one of these, it is taken care of, and counts one less. */
  readonly eased?: readonly string[];
};
