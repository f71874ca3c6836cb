import { describe, expect, it } from "vitest";
import { keyPhrases } from "../../../src/offline/text/key-phrases.ts";

const phrases = (text: string, limit?: number): string[] =>
  keyPhrases(text, limit).map(({ phrase }) => phrase);

describe("keyPhrases", () => {
  it("puts what a text keeps speaking of first", () => {
    const text =
      "The payment gateway timed out. We restarted the payment gateway twice, and the payment gateways recovered. Lunch was late.";
    expect(phrases(text)[0]).toBe("payment gateway");
  });

  it("breaks phrases at stop words and punctuation, and keeps the spelling", () => {
    expect(phrases("New York, and the Golden Gate Bridge")).toEqual(
      expect.arrayContaining(["New York", "Golden Gate Bridge"]),
    );
  });

  it("gives at most as many as wanted, and none for stop words alone", () => {
    expect(phrases("alpha beta, gamma delta, epsilon zeta", 2)).toHaveLength(2);
    expect(phrases("it is what it is")).toEqual([]);
  });
});
