import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ClaimedCall } from "../../src/core/calls/dispatch.ts";
import { createPostgresDispatcher } from "../../queues/postgres.ts";

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A consumer of an idle pool, whose ear and claims the test plays. */
async function consume(claim: () => Promise<readonly ClaimedCall[]> = () => Promise.resolve([])) {
  const seen = { claims: 0, errors: 0, hear: () => {} };
  const ear = {
    hearing: true,
    listen: (_channel: string, hear: () => void) => {
      seen.hear = hear;
      return Promise.resolve(() => {});
    },
  };
  const dispatcher = createPostgresDispatcher({
    db: { query: () => Promise.resolve([]) },
    ear,
    onError: () => seen.errors++,
  });
  const consumer = await dispatcher.consume("brain", {
    slots: 2,
    claim: () => {
      seen.claims++;
      return claim();
    },
    run: () => Promise.resolve(),
  });
  await vi.advanceTimersByTimeAsync(0);
  return { consumer, seen, ear };
}

it("looks by itself only every few seconds while it hears of calls", async () => {
  const { consumer, seen } = await consume();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(seen.claims).toBeGreaterThanOrEqual(MINUTE_MS / 6_000);
  expect(seen.claims).toBeLessThanOrEqual(1 + MINUTE_MS / 5_000);
  await consumer.stop();
});

it("looks at once when it is told of a call", async () => {
  const { consumer, seen } = await consume();
  const before = seen.claims;
  seen.hear();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.claims).toBe(before + 1);
  await consumer.stop();
});

it("looks often while it hears nothing", async () => {
  const { consumer, seen, ear } = await consume();
  ear.hearing = false;
  await vi.advanceTimersByTimeAsync(6_000);
  const before = seen.claims;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(seen.claims - before).toBeGreaterThanOrEqual(MINUTE_MS / 600);
  await consumer.stop();
});

it("looks again soon after a look that failed, and stops looking when it is stopped", async () => {
  const { consumer, seen } = await consume(() => Promise.reject(new Error("the database is away")));
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(seen.errors).toBe(seen.claims);
  expect(seen.claims).toBeGreaterThanOrEqual(MINUTE_MS / 600);
  await consumer.stop();
  const before = seen.claims;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(seen.claims).toBe(before);
});
