import fc from "fast-check";
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { packed, unpacked } from "../../src/core/calls/packed-output.ts";
import { LIMITS } from "../../src/core/limits.ts";

const text = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 2_000 }))
  .map(([piece, times]) => JSON.stringify(piece.repeat(times)));

it("gives back every text that it packs, and packs what is long and repeats itself", () => {
  let packs = 0;
  fc.assert(
    fc.property(text, (output) => {
      const block = packed(output);
      if (block === undefined) return;
      packs++;
      expect(unpacked(block)).toBe(output);
      expect(block.length).toBeLessThan(Buffer.byteLength(output) * LIMITS.packedOutputShare);
    }),
  );
  expect(packs).toBeGreaterThan(0);
});

it("leaves short texts and those that hardly shrink as they are", () => {
  expect(packed("x".repeat(LIMITS.packOutputFromChars - 1))).toBeUndefined();
  expect(packed("x".repeat(LIMITS.packOutputFromChars))).toBeDefined();
  expect(packed(randomBytes(20_000).toString("base64"))).toBeUndefined();
});

it("refuses a block that is damaged or cut off", () => {
  const block = packed(JSON.stringify("nothing is lost ".repeat(1_000))) ?? new Uint8Array();
  expect(() => unpacked(block.subarray(0, block.length - 5))).toThrow();
  expect(() => unpacked(new Uint8Array())).toThrow();
});
