import type { EXCLUSIVITIES } from "./contract.ts";

export type Exclusivity = (typeof EXCLUSIVITIES)[number];

const NO = new Set(["no", "n", "none", "false", "0", "not exclusive", "non-exclusive", "nonexclusive"]);
const YES = new Set(["yes", "y", "true", "1", "exclusive"]);

/** Reads what a caller says of exclusivity, whatever the case. Everything but a plain yes or no is unknown. */
export function readExclusivity(said: string): Exclusivity {
  const word = said.trim().toLowerCase();
  if (NO.has(word)) return "no";
  return YES.has(word) ? "yes" : "unknown";
}
