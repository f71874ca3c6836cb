import { EventSource } from "eventsource";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/canonical.ts";
import { Work } from "../../src/core/calls/work.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { type ApiProcess, apiProcess } from "../support/api-process.ts";
import { type Balancer, startBalancer } from "../support/balancer.ts";
import { ASYNC } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";
import { letPass } from "../support/let-pass.ts";

const READERS = 24;
const EVENTS = 60;
const EVERY_MS = 60;

let platform: TestPlatform;
let apis: readonly [ApiProcess, ApiProcess];
let balancer: Balancer;
beforeAll(async () => {
  // Nobody serves the pool: the test itself runs the call. As many streams as there are readers, and not one more.
  platform = await startTestPlatform({ pools: [] });
  const env = { MAX_STREAMS_PER_ACCOUNT: String(READERS) };
  apis = [await apiProcess(platform, env), await apiProcess(platform, env)];
  await Promise.all(apis.map((api) => api.start()));
  balancer = await startBalancer(apis.map(({ port }) => port));
});
afterAll(async () => {
  await balancer.close();
  await Promise.all(apis.map((api) => api.kill()));
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** Follows a call as a browser does: it reconnects by itself, and stops at the answer 204. */
function reader(url: string, key: string | null) {
  const seen: string[] = [];
  const codes: (number | undefined)[] = [];
  const source = new EventSource(
    url,
    key === null
      ? {}
      : {
          fetch: (input, init) =>
            fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
        },
  );
  for (const type of ["status", "progress", "completed", "failed"])
    source.addEventListener(type, (event) => void seen.push(`${event.lastEventId} ${type}`));
  let breaks = 0;
  source.addEventListener("error", ({ code }) => {
    breaks++;
    codes.push(code);
  });
  return { seen, codes, breaks: () => breaks, source };
}

/** A call that the test's own worker holds for as long as it likes. */
async function heldCall(key: string) {
  const { body } = await platform.request("POST", "/api/call/test-long", { key, body: {}, headers: ASYNC });
  const work = new Work(platform.runtime.db, "narrator");
  const [call] = await work.claim("brain", 1);
  if (call === undefined || call.id !== body.call_id) throw new Error("another call was claimed");
  await platform.database.owner.query(
    `update calls set deadline_at = at, run_until = at, lease_until = at
       from (select clock_now() + interval '10 minutes' as at) moment where id = $1`,
    [call.id],
  );
  const tellNobody = (step: number): Promise<void> => work.progress({ ...call, data: `{"step":${step}}` });
  const tell = async (step: number): Promise<void> => {
    await tellNobody(step);
    platform.runtime.bus.publish([{ kind: "event", callId: call.id }]);
  };
  const end = async (): Promise<void> => {
    const output = '{"text":"done"}';
    const outcome = { state: "succeeded", output, outputSha256: sha256Hex(output) } as const;
    const columns = await platform.services.outputs.columns(outcome);
    expect(await work.end({ id: call.id, attempt: call.attempt, ...columns })).toBe("ended");
    platform.runtime.bus.publish([{ kind: "ended", callId: call.id }]);
  };
  return { callId: call.id, streamUrl: body.stream_url as string, tell, tellNobody, end };
}

/** The path of a URL, at the balancer. */
const balanced = (url: string): string => `${balancer.url}${url.replace(/^.*(?=\/api\/)/, "")}`;

it("gives every reader each event once and in order, whichever API is killed while they follow", async () => {
  const { key } = await platform.account(100);
  const call = await heldCall(key);
  const readers = Array.from({ length: READERS }, (_, nth) =>
    nth % 2 === 0
      ? reader(balanced(call.streamUrl), null)
      : reader(balanced(`/api/calls/${call.callId}/events`), key),
  );
  await until(async () => readers.every(({ seen }) => seen.length >= 2));

  const [one, two] = apis;
  for (let step = 1; step <= EVENTS; step++) {
    await call.tell(step);
    if (step === 12) await one.kill();
    if (step === 24) balancer.cut();
    if (step === 30) await until(async () => readers.every(({ seen }) => seen.length >= 20));
    if (step === 31) await one.start();
    if (step === 45) await two.kill();
    await letPass(EVERY_MS);
  }
  await call.end();
  await until(async () => readers.every(({ source }) => source.readyState === source.CLOSED));

  const whole = [
    "1 status",
    "2 status",
    ...Array.from({ length: EVENTS }, (_, nth) => `${nth + 3} progress`),
    `${EVENTS + 3} completed`,
  ];
  for (const { seen, codes } of readers) {
    expect(seen).toEqual(whole);
    expect(codes.filter((code) => code !== undefined && code !== 204)).toEqual([]);
  }
  expect(readers.reduce((sum, { breaks }) => sum + breaks(), 0)).toBeGreaterThanOrEqual(2 * READERS);
});

it("tells those who follow also what nobody was woken for", async () => {
  const { key } = await platform.account(10);
  const call = await heldCall(key);
  const { seen, source } = reader(balanced(call.streamUrl), null);
  await until(async () => seen.length === 2);
  for (let step = 1; step <= 3; step++) {
    await call.tellNobody(step);
    await until(async () => seen.length === 2 + step);
  }
  await call.end();
  await until(async () => source.readyState === source.CLOSED);
  expect(seen.at(-1)).toBe("6 completed");
});

it("no longer counts what a killed process held when those who followed there come back", () => {
  expect(LIMITS.streamLeaseMs).toBeLessThan(LIMITS.streamRetryMs);
  expect(LIMITS.streamRenewMs * 3).toBeLessThan(LIMITS.streamLeaseMs);
});
