/** The words of a text in small letters without accents; everything but letters and digits parts them. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/['’]/g, "")
    .replaceAll("&", " and ");
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

const SHORTEST_STEM = 4;

/**
 * What the forms of a word have in common: plurals lose their ending, and the one who does a thing and the doing of it
 * (`plumber`, `plumbing`) share a stem, marked so that it is not the bare word (`train`, `clean`), which means more.
 */
export function stemOf(word: string): string {
  const singular = singularOf(word);
  const doing = /^(.+?)(?:er|ing)$/.exec(singular)?.[1];
  if (doing === undefined || doing.length < SHORTEST_STEM) return singular;
  return `${doing.replace(/([^aeiouls])\1$/, "$1")}~`;
}

function singularOf(word: string): string {
  if (word.length <= SHORTEST_STEM || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|z|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
