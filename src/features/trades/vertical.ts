/** A trade with its own words. */
export type Vertical = {
  readonly name: string;
  /** How its people and customers name it, in small letters; plurals, `-er` and `-ing` forms follow from these. */
  readonly synonyms: readonly string[];
  readonly terms: {
    /** Who calls. */
    readonly caller: string;
    /** What is booked. */
    readonly appointment: string;
    /** Who comes, or who sees the caller. */
    readonly provider: string;
  };
  /** What to ask a caller first. */
  readonly questions: readonly string[];
};

/** What is said in a trade that is not known. */
export const GENERAL: Vertical = {
  name: "general",
  synonyms: [],
  terms: { caller: "customer", appointment: "appointment", provider: "team member" },
  questions: [
    "What can we help you with?",
    "Is it urgent, or when would suit you?",
    "Where are you, or where is the work to be done?",
    "Have you been with us before?",
    "How can we reach you best?",
  ],
};
