import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

const ID = /^acc_[0-9a-f]{32}$/;
const ENTRY_ID = /^led_[0-9a-f]{16}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const open = (body: unknown): Promise<Answer> => platform.request("POST", "/api/accounts", { body });
let handles = 0;
const newHandle = (): string => `handle-${handles++}`;

const countAccounts = async (): Promise<unknown> =>
  await platform.database.owner.query("select count(*) as n from accounts");

type Page = {
  entries: { id: string; currency: string; delta: number; balance_after: number }[];
  next_before: string | null;
};
const read = async (key: string, query: string): Promise<Page> =>
  (await platform.request("GET", `/api/account/ledger${query}`, { key })).body;

async function readAll(key: string, query: string): Promise<Page["entries"]> {
  const all: Page["entries"] = [];
  for (let before: string | null = ""; before !== null;) {
    const page: Page = await read(key, `${query}${before === "" ? "" : `&before=${before}`}`);
    all.push(...page.entries);
    before = page.next_before;
  }
  return all;
}

/** How many accounts may still be opened from here this hour, after one more. */
const creationsLeft = async (claimed: string): Promise<number> => {
  const headers = { "x-forwarded-for": claimed, forwarded: `for=${claimed}`, "x-real-ip": claimed };
  const answer = await platform.request("POST", "/api/accounts", { headers });
  return Number(answer.headers.get("ratelimit-remaining"));
};

describe("opening an account", () => {
  it("answers with the account, its key and its starter grant", async () => {
    const { status, body, headers } = await open({ handle: "first-agent", name: "First agent" });
    expect(status).toBe(201);
    expect(body).toEqual({
      account: {
        id: expect.stringMatching(ID),
        handle: "first-agent",
        name: "First agent",
        tier: "free",
        created: expect.stringMatching(ISO),
      },
      api_key: expect.stringMatching(/^mf_[0-9A-Za-z]{38}$/),
      balance: 100,
      currency: "MESH",
    });
    expect(headers.get("ratelimit-limit")).not.toBeNull();
  });

  it("counts the address of the connection, not one that the client claims", async () => {
    const first = await creationsLeft("192.0.2.1");
    expect(await creationsLeft("192.0.2.2")).toBe(first - 1);
  });

  it("needs no body at all, and makes a handle up", async () => {
    const { status, body } = await platform.request("POST", "/api/accounts");
    expect(status).toBe(201);
    expect(body.account.handle).toMatch(/^[a-z0-9-]{3,40}$/);
    expect(body.account.name).toBe(body.account.handle);
  });

  it("makes up another handle for each account", async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => open({})));
    expect(new Set(opened.map(({ body }) => body.account.handle)).size).toBe(5);
  });

  it.each(["abc", "a-b", "0-0", "---", "a".repeat(40)])("takes the handle %s", async (handle) => {
    expect((await open({ handle })).body.account.handle).toBe(handle);
  });

  it.each(["ab", "", "a".repeat(41), "Upper", "under_score", "a b", "abc ", "abc\n", "äbc", "a.b", "😀😀😀"])(
    "refuses the handle %j",
    async (handle) => {
      const answer = await open({ handle });
      expectError(answer, 400, "invalid_input");
      expect(answer.body.issues[0].path).toBe("handle");
    },
  );

  it.each(["meshforge", "admin", "ledger", "system", "watchtower"])("keeps %s for itself", async (handle) => {
    expectError(await open({ handle }), 409, "handle_taken");
  });

  it("gives a handle to one account only, also of many who ask at once", async () => {
    const handle = newHandle();
    const answers = await Promise.all(Array.from({ length: 10 }, () => open({ handle })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      answers.filter(({ status, body }) => status === 409 && body.error === "handle_taken"),
    ).toHaveLength(9);
  });

  it("refuses a name of more than 80 characters instead of cutting it", async () => {
    const answer = await open({ name: "n".repeat(81) });
    expectError(answer, 400, "invalid_input");
    expect(answer.body.issues[0].path).toBe("name");
  });

  it("counts the characters of a name in code points", async () => {
    const name = "😀".repeat(80);
    expect((await open({ name })).body.account.name).toBe(name);
    expectError(await open({ name: "😀".repeat(81) }), 400, "invalid_input");
  });

  it.each([{ handle: 7 }, { name: ["n"] }, { name: "" }, { name: "   " }, { handle: {} }])(
    "refuses %j",
    async (body) => {
      expectError(await open(body), 400, "invalid_input");
    },
  );

  it("names all faults of a body together", async () => {
    const { body } = await open({ handle: 1, name: 2 });
    expect(body.issues.map(({ path }: { path: string }) => path).sort()).toEqual(["handle", "name"]);
  });

  it("leaves nothing behind when it is refused", async () => {
    const before = await countAccounts();
    await open({ handle: "no" });
    await open({ handle: "admin" });
    expect(await countAccounts()).toEqual(before);
  });
});

describe("GET /api/account", () => {
  it("shows both balances, mind, and the starter grants as ledger entries", async () => {
    const { key, id, handle } = await platform.account();
    const { status, body } = await platform.request("GET", "/api/account", { key });
    expect(status).toBe(200);
    const grant = {
      kind: "grant",
      call_id: null,
      slug: null,
      memo: expect.any(String),
      created: expect.stringMatching(ISO),
    };
    const entryId = expect.stringMatching(ENTRY_ID);
    expect(body).toEqual({
      id,
      handle,
      name: handle,
      tier: "free",
      balance: 100,
      currency: "MESH",
      balances: { MESH: 100, USD: "1.00" },
      mind: 0,
      ledger: [
        { id: entryId, currency: "USD", delta: "1.00", balance_after: "1.00", ...grant },
        { id: entryId, currency: "MESH", delta: 100, balance_after: 100, ...grant },
      ],
      created: expect.stringMatching(ISO),
    });
  });

  it("shows the 20 newest entries, newest first", async () => {
    const { key } = await platform.account(50);
    for (let n = 0; n < 25; n++) await platform.request("POST", "/api/call/test-inline", { key, body: {} });
    const { body } = await platform.request("GET", "/api/account", { key });
    expect(body.balance).toBe(25);
    expect(body.ledger).toHaveLength(20);
    expect(body.ledger[0]).toMatchObject({
      kind: "charge",
      delta: -1,
      balance_after: 25,
      slug: "test-inline",
    });
    expect(body.ledger[0].call_id).toMatch(/^call_[0-9a-f]{32}$/);
    const ids = body.ledger.map((entry: { id: string }) => entry.id);
    expect(ids).toEqual(ids.toSorted((a: string, b: string) => (a < b ? 1 : -1)));
  });

  it("shows a VIP for as long as the tier lasts", async () => {
    const { key, id } = await platform.account();
    const tier = async (until: string | null): Promise<string> => {
      await platform.database.owner.query(
        "update accounts set tier = 'vip', tier_until = $2::timestamptz where id = $1",
        [id, until],
      );
      return (await platform.request("GET", "/api/account", { key })).body.tier;
    };
    expect(await tier(null)).toBe("vip");
    expect(await tier("2000-01-01")).toBe("free");
  });
});

describe("the ledger", () => {
  it("is paged through whole, without a gap or a double, in both currencies or one", async () => {
    const { key } = await platform.account(30);
    for (let n = 0; n < 7; n++) await platform.request("POST", "/api/call/test-inline", { key, body: {} });
    const all = await readAll(key, "?limit=3");
    expect(all).toHaveLength(10);
    expect(new Set(all.map(({ id }) => id)).size).toBe(10);
    const mesh = await readAll(key, "?limit=2&currency=MESH");
    expect(mesh).toEqual(all.filter(({ currency }) => currency === "MESH"));
    expect(mesh.reduce((sum, { delta }) => sum + delta, 0)).toBe(23);
    expect((await readAll(key, "?limit=100&currency=USD")).map(({ delta }) => delta)).toEqual(["1.00"]);
  });

  it("says null at its end, also when the last page is full", async () => {
    const { key } = await platform.account();
    expect((await read(key, "?limit=2")).next_before).toBeNull();
    const first = await read(key, "?limit=1");
    expect(first.next_before).toBe(first.entries[0]?.id);
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "limit=1.5",
    "limit=-1",
    "currency=EUR",
    "currency=mesh",
    "limit=1&limit=2",
  ])("refuses ?%s", async (query) => {
    const { key } = await platform.account();
    expectError(await platform.request("GET", `/api/account/ledger?${query}`, { key }), 400, "invalid_input");
  });
});
