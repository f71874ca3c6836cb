import { describe, expect, it } from "vitest";
import {
  receptionFor,
  receptionOf,
} from "../../../../src/features/trades/instant-receptionist/receptions.ts";

const TEN = [
  "plumbing", "electrical", "hvac", "dental", "medical", "legal", "salon", "restaurant", "auto repair", "real estate",
]; // prettier-ignore

describe("the built-in receptions", () => {
  it.each(TEN)("know %s, with a greeting and at least three questions of its own", (vertical) => {
    const { reception, matched } = receptionFor(vertical);
    expect(matched).toBe(true);
    expect(reception.vertical).toBe(vertical);
    expect(receptionOf(vertical)).toBe(reception);
    expect(reception.greeting.length).toBeGreaterThan(40);
    expect(reception.questions.length).toBeGreaterThanOrEqual(3);
    expect(new Set(reception.questions.map(({ label }) => label)).size).toBe(reception.questions.length);
    for (const { options } of reception.questions) expect(options?.length ?? 2).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["Dentist", "dental"],
    ["family dental practice", "dental"],
    ["orthodontist", "dental"],
    ["plumbers", "plumbing"],
    ["electrican", "electrical"],
    ["heating & cooling", "hvac"],
    ["attorney at law", "legal"],
    ["hairdreser", "salon"],
    ["resturant", "restaurant"],
    ["car mechanic", "auto repair"],
    ["Realtors®", "real estate"],
    ["family doctor", "medical"],
  ])("recognise %s as %s", (trade, vertical) => {
    expect(receptionFor(trade)).toMatchObject({ matched: true, reception: { vertical } });
  });

  it.each(["tree surgeon", "dog groomer", "vet", "zorblax", "東京", "---", "bakery"])(
    "leave %s to the general one",
    (trade) => {
      expect(receptionFor(trade)).toMatchObject({ matched: false, reception: { vertical: "general" } });
    },
  );
});
