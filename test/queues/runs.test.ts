import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Runs } from "../../queues/runs.ts";
import type { ClaimedCall } from "../../src/core/calls/dispatch.ts";

const callOf = (id: string): ClaimedCall => ({
  id,
  accountId: "acc_of_the_test",
  slug: "test-work",
  version: "1.0.0",
  attempt: 1,
  input: "{}",
  requestId: null,
  traceparent: null,
  warnings: [],
  waitedMs: 0,
  parentId: null,
  leftMs: 1_000,
});

/** A consumer of `slots` whose calls end when they are told to. */
function consumer(slots: number, waiting: string[]) {
  const asked: number[] = [];
  const running = new Map<string, () => void>();
  let most = 0;
  const runs = new Runs({
    slots,
    claim: (count) => {
      asked.push(count);
      return Promise.resolve(waiting.splice(0, count).map(callOf));
    },
    run: ({ id }) => {
      const end = Promise.withResolvers<void>();
      const stop = (): void => {
        if (running.get(id) === stop) running.delete(id);
        end.resolve();
      };
      running.set(id, stop);
      most = Math.max(most, running.size);
      return end.promise;
    },
  });
  return { runs, asked, running, most: () => most };
}

/** Lets all that can go on do so: nothing here waits for time, and no step takes more than a few turns of the loop. */
async function turn(): Promise<void> {
  for (let nth = 0; nth < 10; nth++) await setImmediate();
}

it("claims for every free slot at the first hint, and looks at the database no more for the hints of those calls", async () => {
  const { runs, asked, running } = consumer(3, ["a", "b"]);
  const first = runs.follow("a");
  await turn();
  expect([...running.keys()]).toEqual(["a", "b"]);
  const second = runs.follow("b");
  await turn();
  expect(asked).toEqual([3]);
  for (const end of running.values()) end();
  await Promise.all([first, second]);
});

it("holds the hint of a call until its run has ended", async () => {
  const { runs, running } = consumer(1, ["a"]);
  let done = false;
  const hint = runs.follow("a").then(() => (done = true));
  await turn();
  expect(done).toBe(false);
  running.get("a")?.();
  await hint;
  expect(done).toBe(true);
});

it("lets go at once of a hint whose call somebody else runs", async () => {
  const { runs, asked } = consumer(2, []);
  await runs.follow("somebody else's");
  expect(asked).toEqual([2]);
});

it("lets go at once of a hint whose call has ended here", async () => {
  const { runs, asked, running } = consumer(2, ["a", "b"]);
  const first = runs.follow("a");
  await turn();
  for (const end of running.values()) end();
  await first;
  await runs.follow("b");
  expect(asked).toEqual([2]);
});

it("lets go at once of a doubled hint whose call runs here", async () => {
  const { runs, running } = consumer(2, ["a"]);
  const first = runs.follow("a");
  await turn();
  await runs.follow("a");
  expect([...running.keys()]).toEqual(["a"]);
  running.get("a")?.();
  await first;
});

it("makes a hint wait while no slot is free, and never runs more than it has slots", async () => {
  const { runs, asked, running, most } = consumer(1, ["a", "b", "c"]);
  const hints = ["a", "b", "c"].map((id) => runs.follow(id));
  for (const id of ["a", "b", "c"]) {
    await turn();
    expect([...running.keys()]).toEqual([id]);
    running.get(id)?.();
  }
  await Promise.all(hints);
  expect(most()).toBe(1);
  expect(asked.every((count) => count === 1)).toBe(true);
});

it("looks again when a claim failed, at the next hint", async () => {
  let fail = true;
  const runs = new Runs({
    slots: 2,
    claim: () => (fail ? Promise.reject(new Error("away")) : Promise.resolve([])),
    run: () => Promise.resolve(),
  });
  await expect(runs.follow("a")).rejects.toThrow("away");
  fail = false;
  await expect(runs.follow("a")).resolves.toBeUndefined();
});

it("claims nothing more once stopped, also for hints that wait for a slot", async () => {
  const { runs, asked, running } = consumer(1, ["a", "b"]);
  const first = runs.follow("a");
  await turn();
  const second = runs.follow("b");
  await turn();
  await runs.stop();
  await second;
  expect(asked).toEqual([1]);
  expect([...running.keys()]).toEqual(["a"]);
  running.get("a")?.();
  await first;
});

it("runs a call anew that waits again while its lost run goes on here", async () => {
  const waiting = ["a"];
  const { runs, asked, running } = consumer(2, waiting);
  const lost = runs.follow("a");
  await turn();
  const endLost = running.get("a");
  waiting.push("a");
  const again = runs.follow("a");
  await turn();
  expect(asked).toEqual([2, 1]);
  endLost?.();
  await lost;
  running.get("a")?.();
  await again;
});
