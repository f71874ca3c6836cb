import { afterAll, beforeAll, expect, it } from "vitest";
import { aborted, release, runs } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, row, running } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const BRAIN = [{ pool: "brain", slots: 2 }] as const;

it("finishes what runs, and takes nothing new", async () => {
  const { id, key } = await platform.account(20);
  const server = await platform.addWorker(BRAIN);
  const callId = await begin(platform, key, "test-work", { mode: "hold", text: "finished" });
  await until(async () => runs.has(callId));
  const drained = server.drain(120_000);
  const late = await begin(platform, key, "test-work", { text: "for the next worker" });
  release(callId);
  await drained;
  expect(await ended(platform, key, callId)).toMatchObject({
    status: "succeeded",
    result: { text: "finished" },
  });
  expect(await row(platform, late)).toMatchObject({ state: "queued", attempt: 0 });
  const next = await platform.addWorker(BRAIN);
  expect(await ended(platform, key, late)).toMatchObject({ status: "succeeded" });
  await next.drain(1_000);
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["charge", -2],
  ]);
});

it("hands back what it cannot finish, which counts as no attempt, and another worker finishes it", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "hold", text: "handed on" });
  for (let drains = 1; drains <= 4; drains++) {
    const server = await platform.addWorker(BRAIN);
    await until(async () => runs.get(callId) === drains);
    await server.drain(50);
    expect(aborted.has(callId)).toBe(true);
    expect(await row(platform, callId)).toMatchObject({ state: "queued", worker: null });
  }
  const last = await platform.addWorker(BRAIN);
  release(callId);
  const end = await ended(platform, key, callId);
  await last.drain(1_000);
  expect(end).toMatchObject({ status: "succeeded", result: { text: "handed on" }, balance: 8 });
  expect(await entries(platform, id)).toEqual([["charge", -2]]);
});

it("hands back what does not even stop, and drops what it brings later", async () => {
  const { id, key } = await platform.account(10);
  const first = await platform.addWorker(BRAIN);
  const callId = await begin(platform, key, "test-work", { mode: "stubborn", text: "done" });
  await until(async () => runs.has(callId));
  await first.drain(50);
  const second = await platform.addWorker(BRAIN);
  await until(() => runs.get(callId) === 2);
  release(callId);
  expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded", result: { text: "done" } });
  await second.drain(2_000);
  expect(runs.get(callId)).toBe(2);
  expect(await entries(platform, id)).toEqual([["charge", -2]]);
});

it("ends the thread of a computation that it hands back", async () => {
  const { id, key } = await platform.account(10);
  const server = await platform.addWorker([{ pool: "cam", slots: 1 }]);
  const callId = await begin(platform, key, "test-cpu", { mode: "spin" });
  await running(platform, callId);
  // The computation has no end: only its thread's lets the worker go.
  await server.drain(50);
  expect(await row(platform, callId)).toMatchObject({ state: "queued", attempt: 1, max_attempts: 4 });
  const answer = await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(answer).toMatchObject({ status: 200, body: { status: "cancelled", balance: 10 } });
  expect(await entries(platform, id)).toHaveLength(2);
});

it("cancels what is to be cancelled while it drains", async () => {
  const { key } = await platform.account(10);
  const server = await platform.addWorker(BRAIN);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  await until(async () => runs.has(callId));
  const drained = server.drain(120_000);
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(await ended(platform, key, callId)).toMatchObject({ status: "cancelled", refunded: true });
  await drained;
});

it("leaves no worker behind in the list of those that live", async () => {
  const server = await platform.addWorker(BRAIN);
  const live = () => platform.database.owner.query("select from workers where pool = 'brain'");
  expect(await live()).toHaveLength(1);
  await server.drain(1_000);
  expect(await live()).toEqual([]);
});

it("loses no call when workers come and go under load", async () => {
  const { id, key } = await platform.account(1_000);
  const ids = await Promise.all(
    Array.from({ length: 120 }, (_, i) => begin(platform, key, "test-work", { mode: "sleep", ms: i % 40 })),
  );
  const [first, second] = await Promise.all([platform.addWorker(BRAIN), platform.addWorker(BRAIN)]);
  for (let rounds = 0; rounds < 4; rounds++) {
    const server = await platform.addWorker([{ pool: "brain", slots: 4 }]);
    await until(() => ids.filter((callId) => runs.has(callId)).length > 20 * rounds);
    await server.drain(rounds % 2 === 0 ? 0 : 1_000);
  }
  for (const callId of ids) expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded" });
  await Promise.all([first.drain(1_000), second.drain(1_000)]);
  expect(await entries(platform, id)).toHaveLength(120);
});
