/** A question of the form. With `options` one of them is chosen, else the visitor writes. */
export type Question = { readonly label: string; readonly options?: readonly string[] };

/** What a page says in a trade. */
export type Reception = {
  /** The trade's name, as `core/trades` has it; `general` for every other. */
  readonly vertical: string;
  /** How a business of the trade is called that has not said its name. */
  readonly label: string;
  readonly greeting: string;
  /** What the visitor asks for, as the form's heading and its button say it. */
  readonly heading: string;
  readonly action: string;
  readonly questions: readonly Question[];
  /** What must not wait for a form. */
  readonly notice?: string;
};
