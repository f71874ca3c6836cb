import { words } from "../../../offline/text/keywords.ts";
import { stem } from "../../../offline/text/stem.ts";

/** What a prompt's words ask for. What they leave open is left to chance, by the prompt's hash. */
export type Wish = {
  /** Whether the prompt says one of these words or phrases, in any inflected form. */
  says(...terms: readonly string[]): boolean;
  /** The first row of a table of which the prompt says a term; undefined where it says none. */
  first<T>(table: readonly (readonly [terms: string, gives: T])[]): T | undefined;
  /** All such rows, in the order of the table. */
  all<T>(table: readonly (readonly [terms: string, gives: T])[]): T[];
  /** A colour named right before one of these words, as in `red hair` or `hair that is red`. */
  colourOf(...things: readonly string[]): string | undefined;
};

const COLOURS: Readonly<Record<string, string>> = {
  red: "#d83a3a",
  crimson: "#b3202c",
  orange: "#f08a24",
  yellow: "#f7cf46",
  gold: "#e2b13c",
  golden: "#e2b13c",
  green: "#4faf5b",
  emerald: "#1f9d6b",
  teal: "#2a9d9a",
  turquoise: "#3cc7c0",
  blue: "#4678d8",
  navy: "#263a77",
  purple: "#8450c4",
  violet: "#8450c4",
  pink: "#f083b4",
  magenta: "#d0409b",
  brown: "#7a4a2b",
  black: "#2a2730",
  white: "#f4f2ee",
  grey: "#a3a5ad",
  gray: "#a3a5ad",
  silver: "#c9ced6",
  blonde: "#eacb7c",
  blond: "#eacb7c",
  ginger: "#d1602c",
  copper: "#c0703a",
  bronze: "#b07a3c",
};
/** How many words may stand between a colour and its thing: `a long white wizard's beard`. */
const REACH = 3;

/** Reads a prompt. */
export function readWish(prompt: string): Wish {
  const all = words(prompt).map((word) => word.replace(/'s$/, ""));
  const line = ` ${all.map(stem).join(" ")} `;
  const says = (...terms: readonly string[]): boolean =>
    terms.some((term) => line.includes(` ${words(term).map(stem).join(" ")} `));
  const saysOne = (terms: string): boolean => says(...terms.split("|"));
  return {
    says,
    first: (table) => table.find(([terms]) => saysOne(terms))?.[1],
    all: (table) => table.filter(([terms]) => saysOne(terms)).map(([, gives]) => gives),
    colourOf: (...things) => {
      const wanted = new Set(things.map(stem));
      const at = all.findIndex((word) => wanted.has(stem(word)));
      if (at === -1) return undefined;
      const before = all.slice(Math.max(0, at - REACH), at).reverse();
      const after = all.slice(at + 1, at + 1 + REACH);
      const isAfter = /^(?:is|are|in|of|that)$/.test(after[0] ?? "");
      const named = [...before, ...(isAfter ? after : [])].find((word) => Object.hasOwn(COLOURS, word));
      return named === undefined ? undefined : COLOURS[named];
    },
  };
}
