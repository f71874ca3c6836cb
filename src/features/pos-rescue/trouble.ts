/** A trouble that tills have, as those know it who repair them. `{pos}` stands for the system's name. */
export type Trouble = {
  /** Words and phrases that speak of it, in any inflected form. */
  readonly any: readonly string[];
  /** Where one of these stands in the same sentence, it speaks of something else. */
  readonly none?: readonly string[];
  /** Whether no card goes through while it lasts. */
  readonly stopsCards: boolean;
  readonly diagnosis: string;
  /** The one check that tells it from what looks the same. */
  readonly check: string;
  readonly plan: readonly string[];
  readonly cautions: readonly string[];
  readonly next: readonly string[];
};
