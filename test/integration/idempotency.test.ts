import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { entries } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const post = (
  key: string,
  slug: string,
  body: unknown,
  name: string,
  more: Readonly<Record<string, string>> = {},
) =>
  platform.request("POST", `/api/call/${slug}`, { key, body, headers: { "idempotency-key": name, ...more } });

for (const [slug, price] of [
  ["test-inline", 1],
  ["test-work", 2],
] as const) {
  it(`gives the first call of ${slug} again for the same key and body, charged once`, async () => {
    const { id, key } = await platform.account(10);
    const first = await post(key, slug, { text: "a" }, "one");
    const second = await post(key, slug, { text: "a" }, "one");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first.body, duration_ms: expect.any(Number) });
    expect(await entries(platform, id)).toEqual([["charge", -price]]);
  });

  it(`gives a failed call of ${slug} again as it failed`, async () => {
    const { id, key } = await platform.account(10);
    const first = await post(key, slug, { mode: "fault" }, "one");
    const second = await post(key, slug, { mode: "fault" }, "one");
    expect(second.status).toBe(422);
    expect(second.body).toMatchObject({ call_id: first.body.call_id, error: "told_to_fail", refunded: true });
    expect(await entries(platform, id)).toEqual([
      ["charge", -price],
      ["refund", price],
    ]);
  });

  it(`refuses the same key with another body or capability than ${slug} had`, async () => {
    const { id, key } = await platform.account(10);
    await post(key, slug, { text: "a" }, "one");
    const other = slug === "test-inline" ? "test-work" : "test-inline";
    for (const again of [post(key, slug, { text: "b" }, "one"), post(key, other, { text: "a" }, "one")]) {
      expect(await again).toMatchObject({ status: 422, body: { error: "idempotency_mismatch" } });
    }
    expect(await entries(platform, id)).toHaveLength(1);
  });
}

it("joins a call that still runs", async () => {
  const { id, key } = await platform.account(10);
  const body = { mode: "hold" };
  const first = await post(key, "test-work", body, "one", { prefer: "respond-async" });
  const joined = post(key, "test-work", body, "one");
  expect(first.status).toBe(202);
  release(first.body.call_id);
  const second = await joined;
  expect(second).toMatchObject({ status: 200, body: { call_id: first.body.call_id, status: "succeeded" } });
  expect(await entries(platform, id)).toHaveLength(1);
});

it("takes bodies whose keys stand in another order for the same", async () => {
  const { id, key } = await platform.account(10);
  const first = await post(key, "test-work", '{"text":"a","mode":"echo","ms":1}', "one");
  const second = await post(key, "test-work", '{ "ms": 1.0, "mode": "echo", "text": "\\u0061" }', "one");
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body.call_id).toBe(first.body.call_id);
  expect(await entries(platform, id)).toHaveLength(1);
});

it("says that a repeated request's webhook is not taken where the call has none or another", async () => {
  const { key } = await platform.account(10);
  await platform.request("POST", "/api/webhooks/secret", { key });
  const [one, other] = ["https://one.example/", "https://other.example/"];
  const call = (name: string, url?: string) =>
    post(key, `test-inline${url === undefined ? "" : `?webhook=${encodeURIComponent(url)}`}`, {}, name);
  expect((await call("without")).body.warnings).toBeUndefined();
  const added = await call("without", one);
  expect(added.headers.get("idempotent-replayed")).toBe("true");
  expect(added.body.warnings).toEqual([expect.stringMatching(/^webhook: not taken\. .*nowhere\.$/)]);
  expect((await call("with", one)).body.warnings).toBeUndefined();
  for (const same of [one, undefined]) expect((await call("with", same)).body.warnings).toBeUndefined();
  const changed = await call("with", other);
  expect(changed.body.warnings).toEqual([expect.stringMatching(/^webhook: not taken\. .*first request/)]);
  expect(JSON.stringify(changed.body)).not.toContain("one.example");
});

it("leaves the key of a refused request unused", async () => {
  const { id, key } = await platform.account(1);
  expect((await post(key, "test-work", { mode: "nonsense" }, "one")).status).toBe(400);
  expect((await post(key, "unheard-of", {}, "one")).status).toBe(404);
  expect((await post(key, "test-work", {}, "one", { "max-price": "1" })).body.error).toBe("price_above_max");
  expect((await post(key, "test-work", {}, "one")).body.error).toBe("insufficient_funds");
  const accepted = await post(key, "test-inline", { text: "other" }, "one");
  expect(accepted.status).toBe(200);
  expect(accepted.headers.get("idempotent-replayed")).toBeNull();
  expect(await entries(platform, id)).toEqual([["charge", -1]]);
});

it("gives an account that has run dry its first call again", async () => {
  const { key } = await platform.account(2);
  const first = await post(key, "test-work", {}, "one");
  expect(first.body.balance).toBe(0);
  expect(await post(key, "test-work", {}, "one")).toMatchObject({
    status: 200,
    body: { call_id: first.body.call_id },
  });
});

it("refuses a key that is empty or longer than 255 characters, and takes one of 255", async () => {
  const { key } = await platform.account(10);
  for (const name of ["", "k".repeat(256)]) {
    expect(await post(key, "test-work", {}, name)).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  }
  expect((await post(key, "test-work", {}, "k".repeat(255))).status).toBe(200);
});

it("keeps the keys of different accounts apart", async () => {
  const [one, two] = await Promise.all([platform.account(10), platform.account(10)]);
  const [first, second] = await Promise.all([one, two].map(({ key }) => post(key, "test-work", {}, "same")));
  expect(second?.body.call_id).not.toBe(first?.body.call_id);
  expect(second?.headers.get("idempotent-replayed")).toBeNull();
});

it("forgets a key after 24 hours, not before", async () => {
  const { id, key } = await platform.account(10);
  const age = (interval: string): Promise<unknown> =>
    platform.database.owner.query(
      "update idempotency_keys set created_at = clock_timestamp() - $2::interval where account_id = $1",
      [id, interval],
    );
  const first = await post(key, "test-work", { text: "a" }, "one");
  await age("23 hours 59 minutes");
  expect((await post(key, "test-work", { text: "a" }, "one")).body.call_id).toBe(first.body.call_id);
  await age("24 hours 1 second");
  const second = await post(key, "test-work", { text: "other" }, "one");
  expect(second.status).toBe(200);
  expect(second.body.call_id).not.toBe(first.body.call_id);
  const replay = await post(key, "test-work", { text: "other" }, "one");
  expect(replay.body.call_id).toBe(second.body.call_id);
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["charge", -2],
  ]);
});

for (const slug of ["test-inline", "test-work"]) {
  it(`makes one call of ${slug} out of many that come at once under one key`, async () => {
    const { id, key } = await platform.account(1_000);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => post(key, slug, { text: "a" }, "one")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await entries(platform, id)).toHaveLength(1);
  });

  it(`accepts one of many bodies of ${slug} that come at once under one key`, async () => {
    const { id, key } = await platform.account(1_000);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => post(key, slug, { text: String(i) }, "one")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === "idempotency_mismatch")).toHaveLength(39);
    expect(await entries(platform, id)).toHaveLength(1);
  });
}
