const SHORTEST = 6;
const SHORTEST_FOR_TWO = 11;
const KEYBOARD = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const VOWELS = "aeiouy";
/** A wrong letter that no slip of the finger and no ear explains counts for more than is ever forgiven. */
const ANOTHER_WORD = 3;

/**
 * How many typing errors are forgiven in a word: none in a short one, where another word is too near, one from six
 * letters on, two from eleven. The ending `-ing` is shared by too many words to count in full.
 */
export function forgiven(word: string): number {
  const letters = word.endsWith("ing") ? word.length - 1 : word.length;
  return letters >= SHORTEST_FOR_TWO ? 2 : letters >= SHORTEST ? 1 : 0;
}

/**
 * The typing errors between two words that begin alike: letters that are missing, too many, swapped with their
 * neighbour, or wrong (a vowel for another, or a key beside the right one). This is the optimal string alignment
 * distance, after Damerau (1964). Stops counting above `most`.
 */
export function typingErrors(a: string, b: string, most: number): number {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const wrong = at(last, column - 1) + substitution(a.charAt(row - 1), b.charAt(column - 1));
      let errors = Math.min(at(current, column - 1) + 1, at(last, column) + 1, wrong);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        errors = Math.min(errors, at(beforeLast, column - 2) + 1);
      }
      current.push(errors);
    }
    if (Math.min(...current) > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

function substitution(a: string, b: string): number {
  if (a === b) return 0;
  return (VOWELS.includes(a) && VOWELS.includes(b)) || areNeighbours(a, b) ? 1 : ANOTHER_WORD;
}

function areNeighbours(a: string, b: string): boolean {
  const [rowA, columnA] = keyOf(a);
  const [rowB, columnB] = keyOf(b);
  return Math.abs(rowA - rowB) <= 1 && Math.abs(columnA - columnB) <= 1;
}

function keyOf(letter: string): [row: number, column: number] {
  const row = KEYBOARD.findIndex((keys) => keys.includes(letter));
  return row < 0 ? [Number.NaN, Number.NaN] : [row, KEYBOARD[row]?.indexOf(letter) ?? Number.NaN];
}
