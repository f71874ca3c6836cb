import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../../src/core/limits.ts";
import { Consents } from "../../../src/features/market-audit-external-posture/consent/consents.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { expectError } from "../../http/support.ts";

const PATH = "/api/audit/consent";
const AGREED = { attest_ownership: true, accept_terms: true };
const DAY_MS = 86_400_000;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [], env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const consent = (key: string, asset: unknown): Promise<Answer> =>
  platform.request("POST", PATH, { key, body: { asset, ...AGREED } });

it("is given for 24 hours of the database's clock", async () => {
  const { key } = await platform.account();
  const { status, body } = await consent(key, "www.example.com");
  expect(status).toBe(201);
  expect(body).toEqual({
    consent_id: expect.stringMatching(/^cns_[0-9a-f]{32}$/),
    asset: "www.example.com",
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const [row] = await platform.database.owner.query<{ span: number; given_at: Date }>(
    "select given_at, extract(epoch from expires_at - given_at)::integer as span from audit_consents where id = $1",
    [body.consent_id],
  );
  expect(row?.span).toBe(DAY_MS / 1_000);
  expect(Math.abs(Number(row?.given_at) - Date.now())).toBeLessThan(60_000);
});

it.each([
  ["WWW.Example.COM", "www.example.com"],
  ["example.com.", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["BÜCHER.example.", "xn--bcher-kva.example"],
  ["bu\u0308cher.example", "xn--bcher-kva.example"],
  ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
  ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
  ["faß.example", "xn--fa-hia.example"],
  ["a_b.example.com", "a_b.example.com"],
])("keeps %s as %s", async (asset, kept) => {
  const { key } = await platform.account();
  const { status, body } = await consent(key, asset);
  expect([status, body.asset]).toEqual([201, kept]);
});

it.each([
  "",
  " ",
  ".",
  " example.com",
  "example.com ",
  "exam ple.com",
  "https://example.com",
  "example.com/",
  "example.com:443",
  "user@example.com",
  "example.com?x",
  "example.com#x",
  "*.example.com",
  "example..com",
  "example.com..",
  ".example.com",
  "-a.example.com",
  "a-.example.com",
  "localhost",
  "LOCALHOST.",
  "a.localhost",
  "router.lan",
  "intranet",
  "printer.local",
  "metadata.google.internal",
  "host.test",
  "127.0.0.1",
  "8.8.8.8.",
  "127.1",
  "2130706433",
  "0x7f000001",
  "１２７.0.0.1",
  "1.2.3.4.5",
  "[::1]",
  "::1",
  "example%2ecom",
  "exam\tple.com",
  "ex!ample.com",
  `${"a".repeat(64)}.example.com`,
  `${"a.".repeat(127)}com`,
  "a".repeat(256),
  null,
  5,
  ["example.com"],
  {},
])("refuses %j, which is no bare host name", async (asset) => {
  const { key } = await platform.account();
  const answer = await consent(key, asset);
  expectError(answer, 400, "invalid_input");
  expect(answer.body.issues).toMatchObject([{ path: "asset" }]);
});

it.each([
  [{ asset: "example.com" }, ["attest_ownership", "accept_terms"]],
  [{ asset: "example.com", accept_terms: true }, ["attest_ownership"]],
  [{ asset: "example.com", attest_ownership: false, accept_terms: true }, ["attest_ownership"]],
  [{ asset: "example.com", attest_ownership: true, accept_terms: "true" }, ["accept_terms"]],
  [{ asset: "example.com", attest_ownership: 1, accept_terms: null }, ["attest_ownership", "accept_terms"]],
  [{ ...AGREED }, ["asset"]],
])("refuses %j, where something is not agreed to", async (body, paths) => {
  const { key } = await platform.account();
  const answer = await platform.request("POST", PATH, { key, body });
  expectError(answer, 400, "invalid_input");
  expect(answer.body.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
});

it("needs a key, before it reads anything", async () => {
  expectError(await platform.request("POST", PATH, { body: { asset: 5 } }), 401, "unauthorized");
  expectError(await platform.request("GET", PATH), 405, "method_not_allowed");
});

it("covers this account, this asset and this day, and nothing else", async () => {
  const [mine, others] = [await platform.account(), await platform.account()];
  const { body } = await consent(mine.key, "www.example.com");
  const consents = new Consents(platform.runtime.db);
  const verdict = (accountId: string, asset: string, consentId: string = body.consent_id) =>
    consents.verdict({ consentId, accountId, asset });
  expect(await verdict(mine.id, "www.example.com")).toBe("valid");
  expect(await verdict(mine.id, "example.com")).toBe("mismatch");
  expect(await verdict(mine.id, "a.www.example.com")).toBe("mismatch");
  expect(await verdict(others.id, "www.example.com")).toBe("required");
  expect(await verdict(others.id, "example.com")).toBe("required");
  expect(await verdict(mine.id, "www.example.com", "cns_unknown")).toBe("required");
  expect(await verdict(mine.id, "www.example.com", "' or true --")).toBe("required");

  await age(body.consent_id, "23 hours 59 minutes 50 seconds");
  expect(await verdict(mine.id, "www.example.com")).toBe("valid");
  await age(body.consent_id, "10 seconds");
  expect(await verdict(mine.id, "www.example.com")).toBe("expired");
  expect(await verdict(mine.id, "example.com")).toBe("expired");
  expect(await verdict(others.id, "www.example.com")).toBe("required");
});

/** Makes a consent older by this much, as only the owner of the database can. */
const age = (id: string, by: string): Promise<unknown> =>
  platform.database.owner.query(
    `update audit_consents set given_at = given_at - (interval '${by}'), expires_at = expires_at - (interval '${by}') where id = $1`,
    [id],
  );

it.each([
  "update audit_consents set expires_at = expires_at + interval '1 day'",
  "update audit_consents set account_id = account_id",
  "delete from audit_consents",
  "insert into audit_consents (id, account_id, asset, expires_at) select 'cns_1', id, 'a.example', 'infinity' from accounts limit 1",
])("cannot be changed by the running service: %s", async (sql) => {
  await expect(platform.runtime.db.query(sql)).rejects.toThrow(/permission denied/);
});

it(`can be given ${LIMITS.consentsPerHour} times an hour by one account`, async () => {
  const [busy, other] = [await platform.account(), await platform.account()];
  expect((await consent(busy.key, "a.example")).status).toBe(201);
  const counted = await platform.database.owner.query(
    "update rate_windows set hits = $1 where key like '%' || $2 returning key",
    [LIMITS.consentsPerHour, busy.id],
  );
  expect(counted).toHaveLength(1);
  const refused = await consent(busy.key, "a.example");
  expectError(refused, 429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await consent(other.key, "a.example")).status).toBe(201);
});

it("is of no use for this machine, also where upstreams and webhooks may go there", async () => {
  const { prober } = platform.runtime.services.features;
  await expect(prober.open("localhost", new AbortController().signal)).rejects.toMatchObject({
    code: "host_refused",
  });
});

it("stands in the OpenAPI document, with what it takes and gives", async () => {
  const { body } = await platform.request("GET", "/openapi.json");
  const { post } = body.paths[PATH];
  expect(post.requestBody.content["application/json"].schema.required).toEqual([
    "asset",
    "attest_ownership",
    "accept_terms",
  ]);
  expect(Object.keys(post.responses)).toEqual(["201", "400", "401", "413", "415", "429"]);
});

it("has a page for the owners of hosts, which the probe's user agent names", async () => {
  const { status, headers, body } = await platform.request("GET", "/posture-probe");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(body).toContain("User-agent: Meshforge-Posture-Probe\n    Disallow: /");
  expect(platform.runtime.config.probeContactUrl).toBe("http://localhost:4000/posture-probe");
});
