import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Repeater } from "../../src/core/repeater.ts";

const EVERY_MS = 100;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("looks again and again from its start to its stop", async () => {
  let looks = 0;
  const look = async (): Promise<void> => void looks++;
  const repeater = new Repeater({ everyMs: EVERY_MS, look, onError: () => undefined });
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
  expect([looks, repeater.isStarted]).toEqual([0, false]);
  repeater.start();
  repeater.start();
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect([looks, repeater.isStarted]).toEqual([3, true]);
  repeater.stop();
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
  expect([looks, repeater.isStarted]).toEqual([3, false]);
});

it("never looks twice at once, and goes on after a look that failed", async () => {
  const looks: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  const repeater = new Repeater({
    everyMs: EVERY_MS,
    look: () => {
      looks.push(Promise.withResolvers());
      return looks.at(-1)!.promise;
    },
    onError: (error) => void errors.push(error),
  });
  repeater.start();
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
  expect(looks).toHaveLength(1);
  looks[0]?.reject(new Error("away"));
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(looks).toHaveLength(2);
  expect(errors).toHaveLength(1);
  repeater.stop();
});
