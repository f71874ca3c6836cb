import { expect, it } from "vitest";
import { pauseAfter } from "../../../src/core/webhooks/backoff.ts";

const DAY_MS = 86_400_000;

it("tries again first after 5 seconds, and a little later with jitter", () => {
  expect(pauseAfter(1, 0, 0)).toBe(5_000);
  expect(pauseAfter(1, 0, 1)).toBe(6_000);
});

it("waits longer each time, up to a bound", () => {
  const pauses = Array.from({ length: 14 }, (_, index) => pauseAfter(index + 1, 0, 0) ?? 0);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(3 * 3_600_000);
});

it.each([0, 1])("tries for at least a day and ends within two, with jitter %d", (random) => {
  let ageMs = 0;
  let attempts = 1;
  for (; attempts < 100; attempts++) {
    const pause = pauseAfter(attempts, ageMs, random);
    if (pause === null) break;
    ageMs += pause;
  }
  expect(ageMs).toBeGreaterThan(DAY_MS);
  expect(ageMs).toBeLessThan(2 * DAY_MS);
  expect(attempts).toBeLessThan(25);
});

it("does not give up at once after the sender itself was away for days", () => {
  expect(pauseAfter(1, 3 * DAY_MS, 0)).toBe(5_000);
});
