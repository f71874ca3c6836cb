import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardIssuer } from "../../../src/features/safety-scrub/cards.ts";
import { luhn, mod11And10, verhoeff } from "../../../src/features/safety-scrub/checksums.ts";
import { NATIONAL_IDS } from "../../../src/features/safety-scrub/national-ids.ts";
import { ISSUERS } from "../../../src/features/safety-scrub/token-issuers.ts";

const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), minLength: length, maxLength: length });

describe.each([
  ["Luhn", luhn],
  ["Verhoeff", verhoeff],
  ["ISO 7064 MOD 11,10", mod11And10],
])("%s", (_name, passes) => {
  it("gives exactly one check digit to any number", () => {
    fc.assert(
      fc.property(digits(11), (number) => {
        expect(Array.from("0123456789").filter((check) => passes(number + check))).toHaveLength(1);
      }),
    );
  });

  it("finds every single wrong digit", () => {
    fc.assert(
      fc.property(digits(11), fc.nat(10), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const check = Array.from("0123456789").find((digit) => passes(number + digit));
        const wrong = String((Number(number[place]) + by) % 10);
        expect(passes(number.slice(0, place) + wrong + number.slice(place + 1) + check)).toBe(false);
      }),
    );
  });
});

describe("what the scrubber knows", () => {
  it("covers at least 45 national numbers", () => {
    expect(new Set(NATIONAL_IDS.map(({ name }) => name.split(",")[0])).size).toBeGreaterThanOrEqual(45);
  });

  it("covers the tokens of at least 90 issuers", () => {
    expect(new Set(ISSUERS.map(({ issuer }) => issuer.split(/[ ,]/)[0])).size).toBeGreaterThanOrEqual(90);
  });

  it("takes at most one in fifty random numbers for an ID that needs no label and has one group", () => {
    const unlabelled = NATIONAL_IDS.filter(({ labels }) => labels === undefined);
    const shares = unlabelled.flatMap(({ name, shapes, valid }) =>
      shapes
        .filter((shape) => /^\d+$/.test(shape))
        .map((shape) => ({ name, share: shareOf(Number(shape), valid) })),
    );
    expect(shares.filter(({ name, share }) => share > 0.02 && name !== "Indian Aadhaar")).toEqual([]);
  });

  it("takes a card only in a length that its network issues", () => {
    expect(cardIssuer("4242424242424242")).toBe("Visa");
    expect(cardIssuer("42424242424242424")).toBeUndefined();
    expect(cardIssuer("378282246310005")).toBe("American Express");
  });
});

function shareOf(length: number, valid: (digits: string) => boolean): number {
  const numbers = fc.sample(digits(length), { seed: 7, numRuns: 5_000 });
  return numbers.filter((number) => valid(number)).length / numbers.length;
}
