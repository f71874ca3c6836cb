import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, passDeadline, row } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const isEta = (etaMs: unknown): boolean => etaMs === null || typeof etaMs === "number";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

for (const [slug, price] of [
  ["test-inline", 1],
  ["test-work", 2],
  ["test-cpu", 2],
] as const) {
  it.concurrent(`answers the success of ${slug} with result, price and what is left`, async () => {
    const { id, key } = await platform.account(10);
    const { status, headers, body } = await platform.request("POST", `/api/call/${slug}`, {
      key,
      body: { text: "hello" },
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("application/json");
    expect(body).toEqual({
      ok: true,
      call_id: expect.stringMatching(/^call_[0-9a-f]{32}$/),
      slug,
      status: "succeeded",
      done: true,
      outcome: "succeeded",
      result: { text: "hello" },
      price,
      currency: "MESH",
      balance: 10 - price,
      duration_ms: expect.any(Number),
    });
    expect(await entries(platform, id)).toEqual([["charge", -price]]);
    const again = await platform.request("GET", `/api/calls/${body.call_id}`, { key });
    expect(again).toMatchObject({ status: 200, body: { ...body, duration_ms: expect.any(Number) } });
  });
}

it.concurrent("answers 202 with where to look and when, while the call runs", async () => {
  const { key } = await platform.account(10);
  const { status, headers, body } = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { mode: "hold" },
    headers: { prefer: "wait=0" },
  });
  expect(status).toBe(202);
  expect(body).toEqual({
    ok: true,
    call_id: expect.stringMatching(/^call_/),
    slug: "test-work",
    status: expect.stringMatching(/^(queued|running)$/),
    done: false,
    outcome: null,
    queue: { position: expect.any(Number), eta_ms: expect.toSatisfy(isEta) },
    poll_url: expect.stringMatching(new RegExp(`^http.*/api/calls/${body.call_id}$`)),
    events_url: `${body.poll_url}/events`,
    stream_url: expect.stringMatching(/\/events\?token=[\w.-]+$/),
    poll_after_ms: expect.any(Number),
    price: 2,
    currency: "MESH",
    balance: 8,
  });
  expect(headers.get("location")).toBe(body.poll_url);
  expect(headers.get("retry-after")).toBe(String(Math.ceil(body.poll_after_ms / 1_000)));
  release(body.call_id);
  expect(await ended(platform, key, body.call_id)).toMatchObject({
    ok: true,
    status: "succeeded",
    done: true,
  });
});

const failures = [
  ["a handler that throws", "test-work", { mode: "throw" }, 500, "internal_error"],
  ["an inline handler that throws", "test-inline", { mode: "throw" }, 500, "internal_error"],
  ["an output that does not fit its schema", "test-work", { mode: "wrong-output" }, 500, "internal_error"],
  ["a fault of the input", "test-work", { mode: "fault" }, 422, "told_to_fail"],
  ["a fault of an inline input", "test-inline", { mode: "fault" }, 422, "told_to_fail"],
  ["a fault told in text that cannot be stored", "test-work", { mode: "garbled-fault" }, 422, "told_to_fail"],
  [
    "a fault told inline in text that cannot be stored",
    "test-inline",
    { mode: "garbled-fault" },
    422,
    "told_to_fail",
  ],
] as const;
for (const [what, slug, input, expectedStatus, error] of failures) {
  it.concurrent(`answers ${what} with ${expectedStatus} and gives the price back as a new entry`, async () => {
    const { id, key } = await platform.account(10);
    const { status, body } = await platform.request("POST", `/api/call/${slug}`, { key, body: input });
    const price = slug === "test-inline" ? 1 : 2;
    expect(status).toBe(expectedStatus);
    expect(body).toEqual({
      ok: false,
      error,
      message: expect.any(String),
      call_id: expect.stringMatching(/^call_/),
      slug,
      status: "failed",
      done: true,
      outcome: "failed",
      refunded: true,
      price,
      currency: "MESH",
      balance: 10,
      duration_ms: expect.any(Number),
    });
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(await entries(platform, id)).toEqual([
      ["charge", -price],
      ["refund", price],
    ]);
    const look = await platform.request("GET", `/api/calls/${body.call_id}`, { key });
    expect(look).toMatchObject({ status: 200, body: { ok: false, error, refunded: true } });
  });
}

for (const slug of ["test-inline", "test-work"]) {
  it.concurrent(`keeps the canonical hashes and the version of ${slug} on the call's row, and no input after its end`, async () => {
    const { key } = await platform.account(10);
    const { body } = await platform.request("POST", `/api/call/${slug}`, {
      key,
      body: { text: "é\u2028", mode: "echo" },
    });
    const kept = await row(platform, body.call_id);
    const input =
      slug === "test-inline" ? { mode: "echo", text: "é\u2028" } : { mode: "echo", ms: 0, text: "é\u2028" };
    // The keys above stand in the order of RFC 8785, and its strings are those of JSON.stringify.
    expect(kept).toMatchObject({
      version: "1.0.0",
      input: null,
      input_hash: sha256(JSON.stringify(input)),
      output_hash: sha256(JSON.stringify({ text: "é\u2028" })),
    });
  });
}

it.concurrent("gives a large output back whole, also later, and keeps it out of the call's row", async () => {
  const { key } = await platform.account(10);
  const { body } = await platform.request("POST", "/api/call/test-work", { key, body: { mode: "large" } });
  expect(body.result).toEqual({ text: "ü".repeat(200_000) });
  const kept = await row(platform, body.call_id);
  expect(kept).toMatchObject({ output: null, output_ref: kept.output_hash });
  expect(kept.output_hash).toBe(sha256(JSON.stringify(body.result)));
  const { body: later } = await platform.request("GET", `/api/calls/${body.call_id}`, { key });
  expect(later.result).toEqual(body.result);
});

for (const slug of ["test-inline", "test-work"]) {
  it.concurrent(`packs a long output of ${slug} in its row, and gives it back whole, also later`, async () => {
    const { key } = await platform.account(10);
    const call = { key, body: { text: "ü\n".repeat(5_000) }, headers: { "idempotency-key": "long" } };
    const { body } = await platform.request("POST", `/api/call/${slug}`, call);
    expect(body.result).toEqual({ text: call.body.text });
    const kept = await row(platform, body.call_id);
    expect(kept).toMatchObject({ output: null, output_ref: null });
    expect(kept.output_lz4.length).toBeLessThan(1_000);
    expect(kept.output_hash).toBe(sha256(JSON.stringify(body.result)));
    const looks = [
      await platform.request("GET", `/api/calls/${body.call_id}`, { key }),
      await platform.request("POST", `/api/call/${slug}`, call),
    ];
    for (const look of looks) expect(look.body).toMatchObject({ call_id: body.call_id, result: body.result });
  });
}

it.concurrent("keeps the input of a call that waits, for whoever will run it", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-patient", { text: "a" });
  expect(JSON.parse((await row(platform, callId)).input)).toEqual({ text: "a" });
  await passDeadline(platform, callId);
  expect(await ended(platform, key, callId)).toMatchObject({ status: "expired" });
  expect((await row(platform, callId)).input).toBeNull();
});
