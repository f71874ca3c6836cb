/** A piece of a formula: a number, a name, or an operator. */
export type Token = { readonly kind: "number" | "name" | "sign"; readonly text: string };

/** Longer ones are prose. */
const FORMULA_CHARS = 300;

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([a-z_][a-z0-9_]*)|(\*\*|[-+*/%^()|!,]))/iy;

/** Operators that are written in words or in other signs. Order matters: longer phrases first. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/²/g, "^2"],
  [/³/g, "^3"],
  [/[×·⋅]/g, "*"],
  [/÷/g, "/"],
  [/[−–]/g, "-"],
  [/√ ?\(/g, "sqrt("],
  [/√ ?(\w+)/g, "sqrt($1)"],
  [/\bmath\.(?=\w+\()/gi, ""],
  [/ squared\b/gi, "^2"],
  [/ cubed\b/gi, "^3"],
  [/\bplus\b/gi, "+"],
  [/\bminus\b/gi, "-"],
  [/\b(?:times|multiplied by)\b/gi, "*"],
  [/\bdivided by\b/gi, "/"],
  [/\b(?:mod|modulo)\b/gi, "%"],
];

/** The tokens of a formula; undefined for a text that holds anything else, or too much. */
export function tokensOf(text: string): Token[] | undefined {
  const spelled = SPELLINGS.reduce((result, [pattern, sign]) => result.replace(pattern, sign), text).trim();
  if (spelled === "" || spelled.length > FORMULA_CHARS) return undefined;
  const tokens: Token[] = [];
  const scanner = new RegExp(TOKEN);
  while (scanner.lastIndex < spelled.length) {
    const match = scanner.exec(spelled);
    if (match === null) return undefined;
    const [, number, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}
