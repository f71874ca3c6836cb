import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

const PER_HOUR = 3;
const HOUR_S = 3_600;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    env: {
      ACCOUNTS_PER_HOUR: String(PER_HOUR),
      STARTER_MESH: "7",
      STARTER_USD_MICROS: "0",
      TRUST_PROXY: "1",
    },
    pools: [],
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const openFrom = (address: string): ReturnType<TestPlatform["request"]> =>
  platform.request("POST", "/api/accounts", { body: {}, headers: { "x-forwarded-for": address } });

it("opens so many accounts an hour for one address and no more, also when all ask at once", async () => {
  const answers = await Promise.all(Array.from({ length: PER_HOUR + 4 }, () => openFrom("192.0.2.1")));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(PER_HOUR);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  for (const answer of refused) {
    expectError(answer, 429, "rate_limited");
    const retryAfter = Number(answer.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(HOUR_S);
    expect(answer.headers.get("ratelimit-limit")).toBe(String(PER_HOUR));
    expect(answer.headers.get("ratelimit-remaining")).toBe("0");
    expect(Number(answer.headers.get("ratelimit-reset"))).toBeLessThanOrEqual(HOUR_S);
  }
});

it("counts each address for itself", async () => {
  expect((await openFrom("192.0.2.2")).status).toBe(201);
});

it("counts the address that the proxy saw, whatever the client wrote before it", async () => {
  const statuses = [];
  for (let n = 0; n <= PER_HOUR; n++) statuses.push((await openFrom(`198.51.100.${n}, 192.0.2.20`)).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
});

it("says what is left", async () => {
  const left = [];
  for (let n = 0; n < PER_HOUR; n++)
    left.push((await openFrom("192.0.2.3")).headers.get("ratelimit-remaining"));
  expect(left).toEqual(["2", "1", "0"]);
});

it("starts to count anew when the hour is over", async () => {
  for (let n = 0; n < PER_HOUR; n++) await openFrom("192.0.2.4");
  expect((await openFrom("192.0.2.4")).status).toBe(429);
  await platform.database.owner.query(
    "update rate_windows set ends_at = clock_timestamp() - interval '1 second' where key like '%192.0.2.4'",
  );
  expect((await openFrom("192.0.2.4")).status).toBe(201);
});

it("forgets addresses whose hour is over", async () => {
  const { owner } = platform.database;
  await owner.query(
    `insert into rate_windows (key, ends_at, hits)
       select 'POST /api/accounts:old ' || n, clock_timestamp() - interval '1 hour', 9 from generate_series(1, 3) n`,
  );
  for (let n = 6; n < 10; n++) await openFrom(`192.0.2.${n}`);
  expect(await owner.query("select from rate_windows where ends_at < clock_timestamp()")).toHaveLength(0);
});

it("grants what is set, and makes no entry for a grant of nothing", async () => {
  const { body } = await openFrom("192.0.2.5");
  expect(body.balance).toBe(7);
  const { body: account } = await platform.request("GET", "/api/account", { key: body.api_key });
  expect(account.balances).toEqual({ MESH: 7, USD: "0.00" });
  expect(account.ledger).toHaveLength(1);
});
