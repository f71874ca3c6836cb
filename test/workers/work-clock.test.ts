import { expect, it } from "vitest";
import { WorkClock } from "../../workers/work-clock.ts";
import { letPass } from "../support/let-pass.ts";
import { until } from "../support/until.ts";

const WORK_MS = 50;

it("runs out after the time of work", async () => {
  const clock = new WorkClock(WORK_MS);
  await until(() => clock.signal.aborted);
});

it("stands still while anything is waited for, and goes on after the last", async () => {
  const clock = new WorkClock(WORK_MS);
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const waiting = [clock.waiting(first.promise), clock.waiting(second.promise)];
  first.resolve(1);
  await waiting[0];
  await letPass(4 * WORK_MS);
  expect(clock.signal.aborted).toBe(false);
  second.resolve(2);
  expect(await Promise.all(waiting)).toEqual([1, 2]);
  await until(() => clock.signal.aborted);
});

it("goes on also when what was waited for failed", async () => {
  const clock = new WorkClock(WORK_MS);
  await expect(clock.waiting(Promise.reject(new Error("away")))).rejects.toThrow("away");
  await until(() => clock.signal.aborted);
});

it("never runs out once it was stopped", async () => {
  const clock = new WorkClock(WORK_MS);
  const gate = Promise.withResolvers<void>();
  const waiting = clock.waiting(gate.promise);
  clock.stop();
  gate.resolve();
  await waiting;
  await letPass(4 * WORK_MS);
  expect(clock.signal.aborted).toBe(false);
});
