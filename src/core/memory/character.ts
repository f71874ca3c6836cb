import { cutCodePoints } from "../catalog/input.ts";

const SLUG_CHARS = 48;

/**
 * The slug under which a character's memories stand: letters and digits of any script in small letters, everything
 * between them one hyphen, none at the ends, at most 48 code points. A name without any letter or digit is no name, and
 * gives the empty slug: the account itself.
 */
export function characterSlug(name: string): string {
  const words =
    name
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return cutCodePoints(words.join("-"), SLUG_CHARS).replace(/-$/, "");
}
