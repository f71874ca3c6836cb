import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Prober } from "../../src/features/market-audit-external-posture/probe/probe.ts";
import { goodHost, siteOf } from "../features/market-audit-external-posture/sites.ts";
import { begin, ended, entries, running } from "../support/calls.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { startTestWorld, type TestWorld } from "../support/probe-world.ts";
import { startTlsHost, type TlsHost } from "../support/tls-host.ts";
import { until } from "../support/until.ts";

const SLUG = "market-audit-external-posture";
const PRICE = 6;
const HOST = "www.example.com";
const SILENT = "silent.example.com";

let world: TestWorld;
let host: TlsHost;
let silent: TlsHost;
/** The hosts that the workers looked up. */
let opened: string[];
let platform: TestPlatform;
beforeAll(async () => {
  world = await startTestWorld({
    [HOST]: ["127.0.0.1"],
    [SILENT]: ["127.0.0.1"],
    "inside.example.com": ["10.0.0.1"],
  });
  const { authority } = world;
  host = await startTlsHost({ name: HOST, authority }, siteOf(goodHost));
  silent = await startTlsHost({ name: SILENT, authority }, () => undefined);
  const prober: Prober = {
    open: (name, signal) => {
      opened.push(name);
      return world.prober(name === SILENT ? silent.port : host.port).open(name, signal);
    },
  };
  platform = await startTestPlatform({ pools: [{ pool: "probe", slots: 4 }], features: { prober } });
});
beforeEach(() => {
  opened = [];
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await Promise.all([host.close(), silent.close(), world.close()]);
});

async function consentTo(key: string, asset: string): Promise<string> {
  const body = { asset, attest_ownership: true, accept_terms: true };
  const answer = await platform.request("POST", "/api/audit/consent", { key, body });
  expect(answer.status).toBe(201);
  return answer.body.consent_id;
}

const audit = (key: string, consentId: string, asset: string): Promise<Answer> =>
  platform.request("POST", `/api/call/${SLUG}`, { key, body: { consent_id: consentId, asset } });

async function expectRefunded(
  { id, answer, code }: { id: string; answer: Answer; code: string },
  mesh: number,
): Promise<void> {
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({
    ok: false,
    error: code,
    status: "failed",
    refunded: true,
    balance: mesh,
  });
  expect((await entries(platform, id)).slice(-2)).toEqual([
    ["charge", -PRICE],
    ["refund", PRICE],
  ]);
}

it("audits a host with its consent, and is paid for it", async () => {
  const { id, key } = await platform.account(20);
  const consentId = await consentTo(key, "WWW.Example.com.");
  const { status, body } = await audit(key, consentId, HOST);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ok: true, price: PRICE, balance: 20 - PRICE });
  expect(body.result).toMatchObject({ asset: HOST, grade: "A+", score: 140 });
  expect(body.result.exposed_paths.length).toBeGreaterThan(10);
  expect(await entries(platform, id)).toEqual([["charge", -PRICE]]);
  // A consent is good for its whole day, and not for one audit.
  expect((await audit(key, consentId, HOST)).status).toBe(200);
});

it("refuses hosts before it reads the consent, and refunds", async () => {
  const { id, key } = await platform.account(20);
  const consentId = await consentTo(key, "inside.example.com");
  for (const asset of [
    "metadata.google.internal",
    "127.0.0.1",
    "0x7f000001",
    "[::ffff:169.254.169.254]",
    "localhost",
    "www.example.com:443",
    "https://www.example.com",
    "www.example.com.",
    "１２７.0.0.1",
  ]) {
    await expectRefunded({ id, answer: await audit(key, consentId, asset), code: "host_refused" }, 20);
  }
  expect(opened).toEqual([]);
});

it("looks at nothing without a consent that is valid, of this account and for this asset", async () => {
  const [mine, others] = [await platform.account(20), await platform.account(20)];
  const consentId = await consentTo(mine.key, HOST);
  const expired = await consentTo(mine.key, HOST);
  await platform.database.owner.query(
    "update audit_consents set expires_at = clock_timestamp() where id = $1",
    [expired],
  );
  for (const { account, consent, asset, code } of [
    { account: mine, consent: "cns_unknown", asset: HOST, code: "consent_required" },
    { account: others, consent: consentId, asset: HOST, code: "consent_required" },
    { account: others, consent: expired, asset: HOST, code: "consent_required" },
    { account: mine, consent: expired, asset: HOST, code: "consent_expired" },
    { account: mine, consent: expired, asset: SILENT, code: "consent_expired" },
    { account: mine, consent: consentId, asset: SILENT, code: "consent_mismatch" },
    { account: mine, consent: consentId, asset: `a.${HOST}`, code: "consent_mismatch" },
  ]) {
    await expectRefunded({ id: account.id, answer: await audit(account.key, consent, asset), code }, 20);
  }
  expect(opened).toEqual([]);
});

it("refunds an audit of a host that is inside, or nowhere", async () => {
  const { id, key } = await platform.account(20);
  for (const [asset, code] of [
    ["inside.example.com", "host_refused"],
    ["nobody.example.com", "host_unreachable"],
  ] as const) {
    const answer = await audit(key, await consentTo(key, asset), asset);
    await expectRefunded({ id, answer, code }, 20);
  }
});

it("lets go of the host when the audit is cancelled, and refunds", async () => {
  const { id, key } = await platform.account(20);
  const consentId = await consentTo(key, SILENT);
  const callId = await begin(platform, key, SLUG, { consent_id: consentId, asset: SILENT });
  await running(platform, callId);
  await until(() => Promise.resolve(silent.connections.open > 0));
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(await ended(platform, key, callId)).toMatchObject({
    status: "cancelled",
    refunded: true,
    balance: 20,
  });
  await until(() => Promise.resolve(silent.connections.open === 0));
  expect(await entries(platform, id)).toEqual([
    ["charge", -PRICE],
    ["refund", PRICE],
  ]);
});

it("charges nothing for an input that is none", async () => {
  const { id, key } = await platform.account(20);
  for (const body of [{}, { asset: HOST }, { consent_id: "cns_1", asset: "a".repeat(256) }]) {
    const answer = await platform.request("POST", `/api/call/${SLUG}`, { key, body });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  }
  expect(await entries(platform, id)).toEqual([]);
});
