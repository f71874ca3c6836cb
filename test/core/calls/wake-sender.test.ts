import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { decodeWakes, type Wake } from "../../../src/core/calls/dispatch.ts";
import { createWakeSender } from "../../../src/core/calls/wake-sender.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const news = (callId: string): Wake => ({ kind: "event", callId });
const end = (callId: string): Wake => ({ kind: "ended", callId });

/** Sends as the bus does, into a list; each message is answered when the test says so, or at once. */
function sender(answer: () => Promise<unknown> = () => Promise.resolve()) {
  const sent: Wake[][] = [];
  const errors: unknown[] = [];
  const wakes = createWakeSender({
    send: (line) => {
      sent.push(decodeWakes(line));
      return answer();
    },
    maxWakes: 150,
    maxInFlight: 1,
    onError: (error) => void errors.push(error),
  });
  return { ...wakes, sent, errors };
}

/** Lets all that is ready run. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

it("gathers news of streams for 10 ms, each stream once, in one message", async () => {
  const { publish, sent } = sender();
  for (const id of ["a", "b", "a", "c", "a"]) publish([news(id)]);
  vi.advanceTimersByTime(9);
  await settle();
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  await settle();
  expect(sent).toEqual([[news("a"), news("b"), news("c")]]);
  publish([news("a")]);
  vi.advanceTimersByTime(10);
  await settle();
  expect(sent).toHaveLength(2);
});

it("sends the end of a call at once, with what has gathered", async () => {
  const { publish, sent } = sender();
  publish([news("a")]);
  publish([end("b")]);
  await settle();
  expect(sent).toEqual([[news("a"), end("b")]]);
  vi.advanceTimersByTime(100);
  await settle();
  expect(sent).toHaveLength(1);
});

it("lets ends that come while a message is under way make the next one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { publish, sent } = sender(() => promise);
  publish([end("a")]);
  await settle();
  for (const id of ["b", "c", "d"]) publish([end(id)]);
  await settle();
  expect(sent).toEqual([[end("a")]]);
  resolve();
  await settle();
  expect(sent).toEqual([[end("a")], [end("b"), end("c"), end("d")]]);
});

it("fails nobody when a message cannot be sent, and sends all that is left before it ends", async () => {
  const { publish, flush, sent, errors } = sender(() => Promise.reject(new Error("away")));
  publish([news("a")]);
  await flush();
  expect(sent).toEqual([[news("a")]]);
  expect(errors).toHaveLength(1);
  publish([]);
  vi.advanceTimersByTime(100);
  await settle();
  expect(sent).toHaveLength(1);
});
