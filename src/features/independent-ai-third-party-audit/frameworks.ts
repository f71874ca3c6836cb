import type { Framework } from "./framework.ts";
import { ARTIFICIAL_INTELLIGENCE } from "./frameworks/artificial-intelligence.ts";
import { SECURITY_AND_PRIVACY } from "./frameworks/security-and-privacy.ts";

/** The frameworks that are known, and what in a scope calls for each. Written in November 2026 from general knowledge of them: a reference is a pointer to read, not a quotation. */
export const FRAMEWORKS: readonly Framework[] = [...ARTIFICIAL_INTELLIGENCE, ...SECURITY_AND_PRIVACY];

/** What an audit of AI starts from where its scope says nothing that decides. */
const BASELINE = ["NIST AI RMF", "ISO/IEC 42001"];

/** The frameworks to audit against: the caller's, each once, or those that a scope names or that concern it. */
export function frameworksFor(scope: string, wanted: readonly string[] | undefined): string[] {
  if (wanted !== undefined && wanted.length > 0) return [...new Set(wanted)];
  const found = FRAMEWORKS.filter(({ alsoCalled, concerns }) => alsoCalled.test(scope) || concerns(scope));
  return found.length === 0 ? BASELINE : found.map(({ name }) => name);
}

/** The known framework that a name means, however it is written; undefined for one of the caller's own. */
export const frameworkNamed = (name: string): Framework | undefined =>
  FRAMEWORKS.find(
    (framework) => framework.name.toLowerCase() === name.toLowerCase() || framework.alsoCalled.test(name),
  );
