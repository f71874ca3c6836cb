import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "../../src/core/catalog/define.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";
import { expectError } from "./support.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  await platform.stop();
});

type Entry = Record<string, unknown> & { readonly slug: string; readonly category: string };
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  platform.request("GET", path, { headers });
const slugs = async (query: string): Promise<string[]> => {
  const { body } = await get(`/api/capabilities${query}`);
  expect(body.count).toBe(body.capabilities.length);
  return body.capabilities.map(({ slug }: Entry) => slug);
};

const reliability = async (): Promise<number | null> =>
  (await get("/api/capabilities/test-inline")).body.reliability;

describe("the catalog", () => {
  it("needs no key, and gives every field of every capability with its type", async () => {
    const { status, body } = await get("/api/capabilities");
    expect(status).toBe(200);
    expect(body.count).toBeGreaterThanOrEqual(4);
    for (const entry of body.capabilities) {
      expect(entry).toEqual({
        slug: expect.stringMatching(/^[a-z0-9-]{3,64}$/),
        name: expect.any(String),
        kind: "tool",
        category: expect.any(String),
        description: expect.any(String),
        price: expect.any(Number),
        currency: "MESH",
        calls: expect.any(Number),
        calls_external: expect.any(Number),
        reliability: expect.toBeOneOf([null, expect.any(Number)]),
        rating: null,
        pay_on_proof: false,
        reachable: "internal",
        reachable_at: null,
        input_schema: expect.objectContaining({ type: "object" }),
        shop_grade: false,
        shop_grade_reasons: {
          machine_profile: expect.any(Boolean),
          vectors_declared: expect.any(Boolean),
          vectors_passing: expect.any(Boolean),
          vectors_fresh: expect.any(Boolean),
          reliability: expect.any(Boolean),
          sanitized: expect.any(Boolean),
          beats_control: expect.any(Boolean),
        },
        provider: "meshforge",
      });
      expect(Number.isInteger(entry.price)).toBe(true);
      expect(CATEGORIES).toContain(entry.category);
    }
  });

  it("lists cam-forge as the contract does", async () => {
    const { body } = await get("/api/capabilities/cam-forge");
    expect(body).toMatchObject({
      slug: "cam-forge",
      price: 15,
      category: "fabrication",
      provider: "meshforge",
    });
    expect(body.input_schema.required ?? []).toEqual([]);
    expect(Object.keys(body.input_schema.properties)).toEqual(
      expect.arrayContaining([
        "format",
        "width",
        "height",
        "thickness",
        "margin",
        "lattice",
        "shape",
        "pitch",
        "wall",
      ]),
    );
  });

  it("is ordered by slug", async () => {
    const all = await slugs("");
    expect(all).toEqual(all.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it("filters by category, kind, provider, reachable and words, and by several at once", async () => {
    const all = await slugs("");
    expect(await slugs("?kind=tool")).toEqual(all);
    expect(await slugs("?provider=meshforge")).toEqual(all);
    expect(await slugs("?reachable=internal")).toEqual(all);
    expect(await slugs("?category=fabrication")).toContain("cam-forge");
    expect(await slugs("?category=fabrication")).not.toContain("test-inline");
    expect(await slugs("?q=TEST+inline")).toEqual(["test-inline"]);
    expect(await slugs("?q=")).toEqual(all);
    expect(await slugs("?category=tooling&q=cpu&kind=tool")).toEqual(["test-cpu"]);
    expect(await slugs("?category=fabrication&q=test-cpu")).toEqual([]);
  });

  it.each([
    "category=nothing",
    "kind=agent",
    "provider=somebody",
    "reachable=live",
    "q=zzzzzz",
    "category=Fabrication",
    "category=",
  ])("has nothing for ?%s", async (query) => {
    expect(await slugs(`?${query}`)).toEqual([]);
  });

  it("ignores parameters that it does not know", async () => {
    expect(await slugs("?sort=price")).toEqual(await slugs(""));
  });

  it("gives one entry the same as the list does", async () => {
    const { body } = await get("/api/capabilities");
    const one = await get("/api/capabilities/test-work");
    expect(one.body).toEqual(body.capabilities.find(({ slug }: Entry) => slug === "test-work"));
  });

  it.each(["no-such-capability", "Test-Inline", "__proto__", "constructor", "%20", "%F0%9F%98%80"])(
    "has no entry %s",
    async (slug) => {
      expectError(await get(`/api/capabilities/${slug}`), 404, "unknown_capability");
    },
  );

  it.each(["/api/capabilities", "/api/capabilities/cam-forge"])(
    "answers %s with 304 to who has it",
    async (path) => {
      const first = await get(path);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get(path, { "if-none-match": tag });
        expect(again.status).toBe(304);
        expect(again.body).toBe("");
        expect(again.headers.get("etag")).toBe(etag);
      }
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    },
  );

  it("changes its ETag when what it shows changes", async () => {
    // What earlier tests called may not be counted yet.
    const [made] = await platform.database.owner.query<{ n: number }>(
      "select count(*) as n from calls where slug = 'test-inline'",
    );
    const before = await until(async () => {
      const shown = await get("/api/capabilities/test-inline");
      return shown.body.calls === made?.n && shown;
    });
    const { key } = await platform.account();
    await platform.request("POST", "/api/call/test-inline", { key, body: {} });
    // Counters are some seconds old.
    const after = await until(async () => {
      const again = await get("/api/capabilities/test-inline", {
        "if-none-match": before.headers.get("etag") ?? "",
      });
      return again.status === 200 && again;
    });
    expect(after.body.calls).toBe(before.body.calls + 1);
    expect(after.body.calls_external).toBe(before.body.calls_external + 1);
  });

  it("never answers a paid call with 304, whatever the caller says to have", async () => {
    const { key } = await platform.account();
    const answer = await platform.request("POST", "/api/call/test-inline", {
      key,
      body: {},
      headers: { "if-none-match": "*" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBeNull();
  });

  it("shows reliability from 5 ended calls on, to one decimal, without faults of the input", async () => {
    const { key } = await platform.account();
    const make = (mode: string): Promise<Answer> =>
      platform.request("POST", "/api/call/test-inline", { key, body: { mode } });
    const { owner } = platform.database;
    const [row] = await owner.query<{ n: number }>(
      "select count(*) as n from calls where slug = 'test-inline' and not input_fault",
    );
    for (let n = row?.n ?? 0; n < 4; n++) await make("echo");
    await make("fault");
    await make("throw");
    const [ended] = await owner.query<{ n: number; good: number }>(
      "select count(*) as n, count(*) filter (where state = 'succeeded') as good from calls where slug = 'test-inline' and not input_fault",
    );
    const shown = Math.round((1000 * (ended?.good ?? 0)) / (ended?.n ?? 1)) / 10;
    await until(async () => (await reliability()) === shown);
  });
});
