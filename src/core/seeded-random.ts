import { hash } from "node:crypto";

/** Numbers from 0 up to 1, one after the other. */
export type Random = () => number;

/** The numbers that a seed decides: the same seed, the same numbers (sfc32 of PractRand, seeded by SHA-256). */
export function seededRandom(seed: string): Random {
  const bytes = hash("sha256", seed, "buffer");
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const mixed = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = ((c << 21) | (c >>> 11)) >>> 0;
    c = (c + mixed) >>> 0;
    return mixed / 2 ** 32;
  };
}
