/** What may be a slip of the pen: so many letters of a name, and of a short one at least one. */
const SHARE_OF_LETTERS = 1 / 3;
/** Longer ones are nobody's slip. */
const MAX_CHARS = 64;
/** A name with a unit or the like behind it: `width_mm`. */
const MIN_STEM_CHARS = 4;

/** The names that come nearest to one that is none of them, at most `most`, the nearest first. */
export function nearest(name: string, names: Iterable<string>, most = 1): string[] {
  if (name.length > MAX_CHARS) return [];
  const plain = plainOf(name);
  const letters = lettersOf(plain);
  const found: { readonly name: string; readonly slips: number }[] = [];
  for (const other of names) {
    if (other.length > MAX_CHARS) continue;
    const slips = slipsBetween(plain, letters, plainOf(other));
    if (slips !== undefined) found.push({ name: other, slips });
  }
  return found
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map((one) => one.name);
}

/** `List-Unsubscribe`, `list_unsubscribe` and `listUnsubscribe` are one name. */
const plainOf = (name: string): string => name.toLowerCase().replace(/[-_.\s]/g, "");

/** Which letters and digits a name has, as bits. */
function lettersOf(name: string): number {
  let bits = 0;
  for (let index = 0; index < name.length; index++) bits |= 1 << (name.charCodeAt(index) & 31);
  return bits;
}

function slipsBetween(name: string, letters: number, other: string): number | undefined {
  const most = Math.max(1, Math.floor(Math.max(name.length, other.length) * SHARE_OF_LETTERS));
  if (isStem(name, other) || isStem(other, name)) return 1;
  if (Math.abs(name.length - other.length) > most) return undefined;
  // A slip takes one letter away and brings one: what differs in more need not be looked at closely.
  if (countBits(letters ^ lettersOf(other)) > 2 * most) return undefined;
  const slips = distance(name, other);
  return slips <= most ? slips : undefined;
}

const isStem = (stem: string, name: string): boolean =>
  stem.length >= MIN_STEM_CHARS && stem.length < name.length && name.startsWith(stem);

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** How many letters were left out, added, mistaken or exchanged with the next (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
