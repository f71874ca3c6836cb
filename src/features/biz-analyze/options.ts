const EITHER =
  /\b(?:either|whether(?: to| we should| i should)?|choose between|choosing between|decide between|deciding between|torn between|should (?:we|i)|do (?:we|i)|we could|i could|options are(?: to)?|considering)[:,]?\s+([^.?!\n]{3,300})/giu;
const LABELLED = /^ ?(?:[-*•] ?)?(?:option|plan|alternative|choice) [a-z0-9]{1,3} ?[:.)-] ?(.{3,300})$/i;
const SEPARATOR = /,?\s{1,20}(?:or|vs\.?|versus)\s(?:to\s|should (?:we|i)\s)?|,\s(?=[a-z])/i;
const LEAD = /^(?:to|by|either|a choice of)\s+/i;

/** The options that a text puts to the choice: `A or B`, `option 1: ...`. Fewer than two are none. */
export function optionsOf(given: string): string[] {
  const text = given.replace(/[ \t]+/g, " ");
  const labelled = text.split("\n").flatMap((line) => LABELLED.exec(line)?.[1] ?? []);
  if (labelled.length > 1) return labelled.map(tidy);
  for (const [, clause = ""] of text.matchAll(EITHER)) {
    const alternatives =
      /\s(?:or|vs\.?|versus)\s/i.test(clause) || /\band\b/.test(clause)
        ? clause.split(splitterOf(clause))
        : [];
    const options = alternatives.map(tidy).filter((option) => option.length > 2);
    if (options.length > 1) return options;
  }
  return [];
}

const splitterOf = (clause: string): RegExp =>
  /\s(?:or|vs\.?|versus)\s/i.test(clause) ? SEPARATOR : /\s{1,20}and\s/i;

const tidy = (option: string): string =>
  option
    .trim()
    .replace(LEAD, "")
    .replace(/[\s.,;:?!]{1,20}$/, "");
