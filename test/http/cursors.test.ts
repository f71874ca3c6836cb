import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

let platform: TestPlatform;
let mine: Account;
let theirs: Account;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  [mine, theirs] = [await account(), await account()];
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** An account that has a row in every list, and its key; with the id of that row, by the name of the list. */
type Account = { readonly key: string; readonly slug: string; readonly rows: ReadonlyMap<string, string> };

/** Every list that is paged from the newest to the oldest. */
const LISTS = [
  "/api/calls",
  "/api/account/ledger",
  "/api/webhooks/deliveries",
  "/api/receptionists",
] as const;

async function account(): Promise<Account> {
  const { key } = await platform.account(100);
  await platform.request("POST", "/api/webhooks/secret", { key });
  const hooked = "/api/call/test-inline?webhook=https://receiver.example/";
  await platform.request("POST", hooked, { key, body: {} });
  const made = await platform.request("POST", "/api/call/instant-receptionist", {
    key,
    body: { trade: "dentist" },
  });
  const { slug } = made.body.result;
  await fetch(`${platform.baseUrl}/r/${slug}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ name: "Ada", phone: "123456" }),
  });
  await begin(platform, key, "test-work");
  const rows = new Map<string, string>();
  for (const list of [...LISTS, `/api/receptionists/${slug}/leads`]) {
    const { body } = await platform.request("GET", list, { key });
    const [{ id, call_id }] = body[Object.keys(body)[0] ?? ""];
    rows.set(list, id ?? call_id);
  }
  return { key, slug, rows };
}

const read = (path: string, before: string, key = mine.key) =>
  platform.request("GET", `${path}?before=${encodeURIComponent(before)}`, { key });

describe.each(LISTS)("before of %s", (list) => {
  it("is the id of a row", async () => {
    const { status, body } = await read(list, mine.rows.get(list) ?? "");
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(mine.rows.get(list));
  });

  it.each([
    "",
    "x",
    "0",
    "-1",
    "~",
    "call_",
    "led_zz",
    "dlv_zz",
    "rcp_zz",
    "null",
    "call_0",
    "led_0000000000000000",
  ])("that is %j is 400, and not the first page again", async (before) => {
    const answer = await read(list, before);
    expectError(answer, 400, "invalid_input");
    expect(answer.body.issues[0].path).toBe("before");
  });

  it("that is of another list or another account is 400", async () => {
    for (const other of LISTS) {
      if (other !== list) expectError(await read(list, mine.rows.get(other) ?? ""), 400, "invalid_input");
    }
    expectError(await read(list, theirs.rows.get(list) ?? ""), 400, "invalid_input");
  });
});

it("before of a page's leads is the id of a lead, also of one that was deleted", async () => {
  const path = `/api/receptionists/${mine.slug}/leads`;
  for (const before of ["", "x", "lead_", mine.rows.get("/api/calls") ?? ""])
    expectError(await read(path, before), 400, "invalid_input");
  const lead = mine.rows.get(path) ?? "";
  expect((await read(path, lead)).body.leads).toEqual([]);
  const pages = async () => (await platform.request("GET", "/api/receptionists", { key: mine.key })).body;
  expect((await pages()).receptionists[0].leads).toBe(1);
  await platform.request("DELETE", `${path}/${lead}`, { key: mine.key });
  expect((await read(path, lead)).body.leads).toEqual([]);
  expect((await pages()).receptionists[0].leads).toBe(0);
});
