import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { begin } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const WAIT_MS = 1_000;
/** What no answer takes, however busy the machine, that does not wait as long as the service does by itself. */
const DEFAULT_WAIT_MS = 120_000;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ env: { CALL_WAIT_MS: String(DEFAULT_WAIT_MS) } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** Calls test-work so that it takes `ms`, or until it is released; tells what was answered and after how long. */
async function call(ms: number | "held", prefer?: string) {
  const { key } = await platform.account(10);
  const startedAt = performance.now();
  const answer = await platform.request("POST", "/api/call/test-work", {
    key,
    body: ms === "held" ? { mode: "hold" } : { mode: "sleep", ms },
    headers: prefer === undefined ? {} : { prefer },
  });
  return {
    ...answer,
    key,
    applied: answer.headers.get("preference-applied"),
    afterMs: performance.now() - startedAt,
  };
}

it("waits as long as the service is set to when the caller says nothing", async () => {
  Object.assign(platform.services, { callWaitMs: WAIT_MS });
  const slow = await call("held").finally(() =>
    Object.assign(platform.services, { callWaitMs: DEFAULT_WAIT_MS }),
  );
  expect(slow).toMatchObject({ status: 202, applied: null, body: { done: false } });
  expect(slow.afterMs).toBeGreaterThanOrEqual(WAIT_MS - 10);
  release(slow.body.call_id);
});

it("waits longer for a caller who asks for it, and answers as soon as the call has ended", async () => {
  Object.assign(platform.services, { callWaitMs: 0 });
  const { status, applied, body, afterMs } = await call(300, "wait=100").finally(() =>
    Object.assign(platform.services, { callWaitMs: DEFAULT_WAIT_MS }),
  );
  expect({ status, applied }).toEqual({ status: 200, applied: "wait=100" });
  expect(body.status).toBe("succeeded");
  expect(afterMs).toBeLessThan(100_000);
});

it("waits shorter for a caller who asks for it", async () => {
  const { status, applied, body, afterMs } = await call("held", "wait=0");
  expect({ status, applied }).toEqual({ status: 202, applied: "wait=0" });
  expect(afterMs).toBeLessThan(DEFAULT_WAIT_MS);
  release(body.call_id);
});

it("does not wait for a caller who prefers an asynchronous answer", async () => {
  const { status, applied, body, afterMs } = await call("held", "respond-async");
  expect({ status, applied }).toEqual({ status: 202, applied: "respond-async" });
  expect(afterMs).toBeLessThan(DEFAULT_WAIT_MS);
  release(body.call_id);
});

it("takes a wait beside respond-async as how long to wait before the asynchronous answer", async () => {
  expect(await call(300, "respond-async, wait=120")).toMatchObject({ status: 200, applied: "wait=120" });
  const slow = await call("held", "respond-async, wait=1");
  expect(slow).toMatchObject({ status: 202, applied: "wait=1" });
  expect(slow.afterMs).toBeGreaterThanOrEqual(990);
  release(slow.body.call_id);
});

it("takes more than two minutes as two minutes", async () => {
  for (const wait of ["121", "86400", "99999999999999999999"]) {
    expect(await call(0, `wait=${wait}`)).toMatchObject({ status: 200, applied: "wait=120" });
  }
});

it("leaves out a preference that it does not understand, and says so by its silence", async () => {
  for (const prefer of ["return=minimal", "respond-asynchronously", ";;,="]) {
    expect(await call(0, prefer)).toMatchObject({ status: 200, applied: null });
  }
});

it("refuses a wait that is no time, and takes one of part of a second", async () => {
  for (const prefer of ["wait=soon", "wait=-1", "wait="]) {
    expect(await call(0, prefer)).toMatchObject({ status: 400 });
  }
  expect(await call(0, "wait=1.5")).toMatchObject({ status: 200, applied: "wait=1.5" });
});

it("reads preferences in any case and among others", async () => {
  expect(await call(0, 'return=minimal, WAIT = "70"')).toMatchObject({ status: 200, applied: "wait=70" });
});

it("lets a look at a call wait for its end", async () => {
  const { key, body } = await call("held", "respond-async");
  const soon = await platform.request("GET", `/api/calls/${body.call_id}`, { key });
  expect(soon).toMatchObject({ status: 202, body: { done: false, outcome: null } });
  expect(soon.headers.get("location")).toContain(body.call_id);
  const short = await platform.request("GET", `/api/calls/${body.call_id}?wait=0.1`, { key });
  expect(short.status).toBe(202);
  const long = platform.request("GET", `/api/calls/${body.call_id}?wait=500`, { key });
  release(body.call_id);
  expect(await long).toMatchObject({ status: 200, body: { done: true, outcome: "succeeded" } });
});

it("refuses a wait that is no number of seconds", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  for (const wait of ["soon", "-1", "NaN", "Infinity"]) {
    const answer = await platform.request("GET", `/api/calls/${callId}?wait=${wait}`, { key });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "invalid_input", issues: [{ path: "wait" }] },
    });
  }
});

it("wakes each of many who wait for the same call", async () => {
  const { key, body } = await call(500, "respond-async");
  const looks = Array.from({ length: 50 }, () =>
    platform.request("GET", `/api/calls/${body.call_id}?wait=120`, { key }),
  );
  const answers = await Promise.all(looks);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
