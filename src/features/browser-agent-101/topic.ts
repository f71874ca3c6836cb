/** What there is to know about one side of driving a browser. */
export type Topic = {
  /** Words and phrases of questions, in any inflected form. */
  readonly terms: readonly string[];
  /** The idea, in one or two sentences. */
  readonly idea: string;
  readonly steps: readonly string[];
  readonly pitfalls: readonly string[];
};
