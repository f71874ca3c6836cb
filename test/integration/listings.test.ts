import { type ChildProcess } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance, begin } from "../support/calls.ts";
import { freePort } from "../support/global-setup.ts";
import { changeLimits, withLimits } from "../support/limits.ts";
import { delist, list } from "../support/listings.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { meshforge } from "../support/process-platform.ts";
import { until } from "../support/until.ts";

/** No process looks by itself: what one sees, it has heard. */
const HEARING_ONLY = { catalogLookMs: 3_600_000 };
changeLimits(HEARING_ONLY);

let platform: TestPlatform;
let second: ChildProcess;
/** Where the two API processes answer. */
let apis: readonly string[];
let provider: { readonly id: string; readonly handle: string };

beforeAll(async () => {
  platform = await startTestPlatform({ pools: [{ pool: "forward", slots: 4 }] });
  provider = await platform.account();
  const { config } = platform.runtime;
  const port = await freePort();
  const { child } = meshforge(["api"], {
    PATH: process.env["PATH"],
    ...withLimits(HEARING_ONLY),
    DATABASE_URL: platform.database.url,
    DATA_DIR: config.dataDir,
    CAPABILITIES_DIR: config.capabilityRoots.at(-1),
    PORT: String(port),
    TOOL_API_PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    LOG_LEVEL: "fatal",
    ...(config.redisUrl === null ? {} : { REDIS_URL: config.redisUrl, REDIS_PREFIX: config.redisPrefix }),
  });
  second = child;
  apis = [platform.baseUrl, `http://127.0.0.1:${port}`];
  await until(async () => (await fetch(`${apis[1]}/healthz`).catch(() => undefined))?.ok);
});
afterAll(async () => {
  const exited = new Promise((resolve) => second.once("exit", resolve));
  second.kill("SIGTERM");
  await exited;
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
type Answer = { readonly status: number; readonly body: any };

const get = async (api: string, path: string): Promise<Answer> => {
  const response = await fetch(`${api}${path}`);
  return { status: response.status, body: await response.json() };
};
const slugsOf = async (api: string): Promise<string[]> =>
  (await get(api, `/api/capabilities?provider=${provider.handle}`)).body.capabilities.map(
    ({ slug }: { readonly slug: string }) => slug,
  );
const heard = (api: string, slug: string): Promise<boolean> =>
  until(async () => (await slugsOf(api)).includes(slug));
const forgotten = (api: string, slug: string): Promise<boolean> =>
  until(async () => !(await slugsOf(api)).includes(slug));
const call = async (api: string, slug: string, key: string, body: unknown): Promise<Answer> => {
  const response = await fetch(`${api}/api/call/${slug}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

const patterns = (...each: string[]) => ({ text: { allOf: each.map((pattern) => ({ pattern })) } });

describe("a row that a provider listed", () => {
  it("is heard by every API process: listed, described, callable, and gone as quickly", async () => {
    const { id, key } = await platform.account(100);
    await list(platform, provider.id, {
      slug: "rows-first",
      price: 7,
      input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    });
    for (const api of apis) {
      await heard(api, "rows-first");
      const one = await get(api, "/api/capabilities/rows-first");
      expect(one.body).toMatchObject({
        price: 7,
        provider: provider.handle,
        reachable: "unverified",
        reachable_at: null,
        input_schema: { required: ["text"] },
      });
      const { body: document } = await get(api, "/openapi.json");
      expect(document.paths["/api/call/rows-first"].post.externalDocs.url).toContain(
        "/api/capabilities/rows-first",
      );
      expect(await call(api, "rows-first", key, { text: "hello" })).toMatchObject({
        status: 200,
        body: { slug: "rows-first", price: 7, result: { text: "hello" } },
      });
      expect(await call(api, "rows-first", key, { text: 5 })).toMatchObject({
        status: 400,
        body: { error: "invalid_input", issues: [{ path: "text", message: "must be a string" }] },
      });
    }
    expect(await balance(platform, id)).toBe(100 - 14);

    await delist(platform, "rows-first");
    for (const api of apis) {
      await forgotten(api, "rows-first");
      expect((await get(api, "/api/capabilities/rows-first")).body.error).toBe("unknown_capability");
      expect((await get(api, "/openapi.json")).body.paths).not.toHaveProperty("/api/call/rows-first");
      expect(await call(api, "rows-first", key, { text: "a" })).toMatchObject({
        status: 404,
        body: { error: "unknown_capability" },
      });
    }
  });

  it("is shown as it was changed, with another ETag", async () => {
    await list(platform, provider.id, { slug: "rows-changing", price: 1 });
    for (const api of apis) await heard(api, "rows-changing");
    const before = (await fetch(`${apis[1]}/api/capabilities`)).headers.get("etag");
    await list(platform, provider.id, { slug: "rows-changing", price: 2 });
    for (const api of apis) {
      await until(async () => (await get(api, "/api/capabilities/rows-changing")).body.price === 2);
    }
    expect((await fetch(`${apis[1]}/api/capabilities`)).headers.get("etag")).not.toBe(before);
  });

  it("ends its settled calls after it is gone", async () => {
    const { key } = await platform.account(10);
    await list(platform, provider.id, { slug: "rows-leaving" });
    await heard(platform.baseUrl, "rows-leaving");
    const callId = await begin(platform, key, "rows-leaving", { mode: "sleep", ms: 1_000, text: "late" });
    await delist(platform, "rows-leaving");
    await forgotten(platform.baseUrl, "rows-leaving");
    expect((await platform.request("GET", `/api/calls/${callId}?wait=20`, { key })).body).toMatchObject({
      status: "succeeded",
      result: { text: "late" },
    });
  });

  it("fails and refunds a call whose output is not what it promised", async () => {
    const { id, key } = await platform.account(10);
    await list(platform, provider.id, {
      slug: "rows-promising",
      output: { type: "object", properties: { text: { const: "promised" } } },
    });
    await heard(platform.baseUrl, "rows-promising");
    expect(await call(platform.baseUrl, "rows-promising", key, { text: "promised" })).toMatchObject({
      status: 200,
    });
    expect(await call(platform.baseUrl, "rows-promising", key, { text: "other" })).toMatchObject({
      status: 500,
      body: { refunded: true },
    });
    expect(await balance(platform, id)).toBe(7);
  });

  it("takes a body that an event loop may not check, in a thread, and refuses one that no thread can", async () => {
    const { key } = await platform.account(20);
    const doubling = { allOf: [{ items: { $ref: "#/$defs/d" } }, { items: { $ref: "#/$defs/d" } }] };
    await list(platform, provider.id, {
      slug: "rows-recursive",
      input: { properties: { list: { $ref: "#/$defs/d" } }, $defs: { d: doubling } },
    });
    await heard(platform.baseUrl, "rows-recursive");
    const many = Array.from({ length: 2_000 }, () => 1);
    expect(await call(platform.baseUrl, "rows-recursive", key, { list: many, text: "a" })).toMatchObject({
      status: 200,
    });
    const deep: unknown = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`);
    expect(await call(platform.baseUrl, "rows-recursive", key, { list: deep })).toMatchObject({
      status: 400,
      body: { error: "invalid_input", issues: [{ path: "" }] },
    });
  });

  it("has an output that an event loop may not check looked at in a thread, and promises no less for that", async () => {
    const { id, key } = await platform.account(20);
    const long = ["^ü", "ü$", "^ü*$", "^\\p{L}+$", "^[^a]+$"];
    await list(platform, provider.id, { slug: "rows-long", output: { properties: patterns(...long) } });
    await list(platform, provider.id, { slug: "rows-wrong", output: { properties: patterns(...long, "y") } });
    const answers = [];
    for (const slug of ["rows-long", "rows-wrong"]) {
      await heard(platform.baseUrl, slug);
      answers.push(await call(platform.baseUrl, slug, key, { mode: "large" }));
    }
    expect(answers).toMatchObject([
      { status: 200, body: { result: { text: expect.stringMatching(/^ü{100000,}$/) } } },
      { status: 500, body: { error: "internal_error", refunded: true } },
    ]);
    expect(await balance(platform, id)).toBe(17);
  });

  it.each([
    ["names a handler that nobody has", { handler: "no-such-room" }],
    ["has a schema that no contract may hold", { input: { $ref: "https://a.test/schema" } }],
  ])("is left out, and nothing else with it, where it %s", async (what, broken) => {
    const [slug, good] = [`rows-broken-${what.length}`, `rows-good-${what.length}`];
    await list(platform, provider.id, { slug, ...broken });
    await list(platform, provider.id, { slug: good });
    for (const api of apis) {
      await heard(api, good);
      expect(await slugsOf(api)).not.toContain(slug);
    }
  });

  it("never takes the place of what a folder declares", async () => {
    await list(platform, provider.id, { slug: "test-inline", price: 99 });
    await list(platform, provider.id, { slug: "rows-beside" });
    await heard(platform.baseUrl, "rows-beside");
    expect((await get(platform.baseUrl, "/api/capabilities/test-inline")).body).toMatchObject({
      price: 1,
      provider: "meshforge",
    });
  });
});

describe("a long catalog", () => {
  it("comes in pages, each of which says where the next begins", async () => {
    for (const n of [1, 2, 3])
      await list(platform, provider.id, { slug: `page-${n}`, category: "education" });
    const [api = ""] = apis;
    for (const n of [1, 2, 3]) await heard(api, `page-${n}`);
    const query = `/api/capabilities?category=education&provider=${provider.handle}&limit=2`;
    const first = (await get(api, query)).body;
    expect(first).toMatchObject({ count: 2, next_after: "page-2" });
    const rest = (await get(api, `${query}&after=${first.next_after}`)).body;
    expect(rest).toMatchObject({ count: 1, next_after: null, capabilities: [{ slug: "page-3" }] });
    expect((await get(api, `${query}&after=zzz`)).body).toMatchObject({ count: 0, next_after: null });
  });

  it.each(["0", "1001", "x", "-1"])("refuses limit=%s", async (limit) => {
    expect(await get(apis[0] ?? "", `/api/capabilities?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: "invalid_input", issues: [{ path: "limit" }] },
    });
  });
});
