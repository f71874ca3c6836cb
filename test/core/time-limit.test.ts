import { expect, it } from "vitest";
import { TimeLimitError, within } from "../../src/core/time-limit.ts";

const LIMIT_MS = 100;
/** Holds up the thread without working, as a machine does that has other work. */
const sleepHere = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it("gives what the work gives, and throws what it throws", () => {
  expect(within(LIMIT_MS, () => 7)).toBe(7);
  const thrown = new RangeError("of its own");
  expect(() =>
    within(LIMIT_MS, () => {
      throw thrown;
    }),
  ).toThrow(thrown);
});

it("ends work that uses its time, at the first time of asking", () => {
  let begun = 0;
  const endless = (): never => {
    begun++;
    for (;;);
  };
  expect(() => within(LIMIT_MS, endless)).toThrow(TimeLimitError);
  // A machine that is busy enough may have kept it from working for a whole limit.
  expect(begun).toBeLessThanOrEqual(2);
});

it("ends a regular expression that backtracks without end", () => {
  expect(() => within(LIMIT_MS, () => /^(a+)+$/.test(`${"a".repeat(60)}b`))).toThrow(TimeLimitError);
});

it("begins work once more that had no processor for its time, and only once", () => {
  let begun = 0;
  const slowAtFirst = (): string => {
    if (begun++ === 0) sleepHere(3 * LIMIT_MS);
    return "done";
  };
  expect(within(LIMIT_MS, slowAtFirst)).toBe("done");
  expect(begun).toBe(2);
  begun = 0;
  const alwaysSlow = (): void => {
    begun++;
    sleepHere(60_000);
  };
  expect(() => within(LIMIT_MS, alwaysSlow)).toThrow(TimeLimitError);
  expect(begun).toBe(2);
});
