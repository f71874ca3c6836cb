/** What a random number is for; each purpose draws from a stream of its own, so that they do not disturb each other. */
const PURPOSES = { density: 1, distance: 2, direction: 3, turn: 4, scale: 5 } as const;
export type Purpose = keyof typeof PURPOSES;

const WORD = 2 ** 32;

/**
 * A number in [0, 1) that depends on nothing but its arguments: a counter hash of the seed, a cell's column and row, and
 * the purpose. Integer arithmetic alone, so it is the same on every machine. The mixing is the 32-bit finaliser of
 * MurmurHash3 (Appleby), once for each word.
 */
export function randomAt(seed: number, i: number, j: number, purpose: Purpose): number {
  let state = mix(seed | 0, 0x9e3779b9);
  state = mix(Math.floor(seed / WORD) | 0, state);
  state = mix(i, state);
  state = mix(j, state);
  return (mix(PURPOSES[purpose], state) >>> 0) / WORD;
}

function mix(word: number, state: number): number {
  let mixed = Math.imul(state, 31) ^ Math.imul(word, 0xcc9e2d51);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
