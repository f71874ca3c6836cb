import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.ts";
import { openSecrets } from "../../src/core/webhooks/secrets.ts";
import type { Server } from "../../workers/serve.ts";
import { ASYNC, ended, entries, passDeadline, running } from "../support/calls.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { changeLimits, withLimits } from "../support/limits.ts";
import { letPass } from "../support/let-pass.ts";
import { until } from "../support/until.ts";
import { startReceiver, status, verified, type WebhookReceiver } from "../support/webhook-receiver.ts";

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
/** Longer than a sender takes to look twice. */
const TWO_LOOKS_MS = 1_200;

/** A receiver that hangs does so for the whole test. */
const PATIENT = { webhookTimeoutMs: 600_000, webhookLeaseMs: 900_000 };
changeLimits(PATIENT);

const hang = (): void => undefined;

let platform: TestPlatform;
let receiver: WebhookReceiver;
let sender: Server;
beforeAll(async () => {
  receiver = await startReceiver();
  platform = await startTestPlatform({ env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
  sender = await platform.addWorker([{ pool: "system", slots: 1 }]);
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await receiver.close();
});

type Subscriber = { readonly id: string; readonly key: string; readonly secret: string };

async function subscriber(on: TestPlatform = platform): Promise<Subscriber> {
  const account = await on.account(100);
  return { ...account, secret: await newSecret(account.key, on) };
}

async function newSecret(key: string, on: TestPlatform = platform): Promise<string> {
  const answer = await on.request("POST", "/api/webhooks/secret", { key });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({ secret: expect.stringMatching(SECRET) });
  return answer.body.secret;
}

type CallOptions = {
  readonly slug?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

/** Makes a call whose end is posted to `url`. */
function call(
  key: string,
  url: string,
  { slug = "test-inline", ...rest }: CallOptions = {},
): Promise<Answer> {
  const path = `/api/call/${slug}?webhook=${encodeURIComponent(url)}`;
  return platform.request("POST", path, { key, body: {}, ...rest });
}

async function deliveries(key: string): Promise<Answer["body"][]> {
  return (await platform.request("GET", "/api/webhooks/deliveries", { key })).body.deliveries;
}

/** The account's only delivery, once it is as expected. */
async function delivery(key: string, want: Readonly<Record<string, unknown>>): Promise<Answer["body"]> {
  return await until(async () => {
    const [only, ...others] = await deliveries(key);
    expect(others).toEqual([]);
    return only !== undefined && Object.entries(want).every(([name, value]) => only[name] === value) && only;
  });
}

it("posts the end of an inline call, signed, with its envelope and result", async () => {
  const { key, secret } = await subscriber();
  const { status: answered, body } = await call(key, `${receiver.url}/inline?a=1`, {
    body: { text: "hello" },
  });
  expect(answered).toBe(200);
  const [request] = await receiver.take("/inline?a=1", 1);
  const message = verified(secret, request!);
  expect(message.type).toBe("call.succeeded");
  expect(new Date(message.timestamp).toISOString()).toBe(message.timestamp);
  const { duration_ms: _differs, ...rest } = body;
  expect(message.data).toMatchObject({ ...rest, result: { text: "hello" } });
  expect(request).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });

  expect(await delivery(key, { status: "delivered" })).toEqual({
    id: request?.headers["webhook-id"],
    call_id: body.call_id,
    url: `${receiver.url}/inline?a=1`,
    attempts: 1,
    status: "delivered",
    last_status: 204,
    next_at: null,
  });
});

it("posts each way in which a call can end, once", async () => {
  const { id, key, secret } = await subscriber();
  const work = (name: string, body: unknown) =>
    call(key, `${receiver.url}/ends/${name}`, { slug: "test-work", body, headers: ASYNC });
  const cancelled = await work("cancelled", { mode: "hold" });
  const taken = await work("taken", { mode: "hold", text: "b" });
  const expired = await work("expired", { mode: "stubborn" });
  const done = await work("done", { text: "x" });
  const large = await work("large", { mode: "large" });
  const failed = await work("failed", { mode: "fault" });
  const inline = await call(key, `${receiver.url}/ends/inline`, { body: { mode: "fault" } });
  expect(inline.status).toBe(422);
  await running(platform, cancelled.body.call_id);
  await passDeadline(platform, expired.body.call_id);
  await Promise.all(
    [cancelled, taken].map(({ body }) =>
      platform.request("POST", `/api/calls/${body.call_id}/cancel`, { key }),
    ),
  );

  const expected = { cancelled, taken, expired, done, large, failed, inline };
  const types: Record<string, string> = {};
  for (const [name, { body }] of Object.entries(expected)) {
    const [request] = await receiver.take(`/ends/${name}`, 1);
    const { type, data } = verified(secret, request!);
    types[name] = type;
    expect(data).toMatchObject({ call_id: body.call_id, done: true, outcome: type.slice("call.".length) });
    expect(data).toEqual({ ...(await ended(platform, key, body.call_id)), balance: data.balance });
  }
  expect(types).toEqual({
    cancelled: "call.cancelled",
    taken: "call.cancelled",
    expired: "call.expired",
    done: "call.succeeded",
    large: "call.succeeded",
    failed: "call.failed",
    inline: "call.failed",
  });
  await letPass(TWO_LOOKS_MS);
  for (const name of Object.keys(expected)) expect(receiver.on(`/ends/${name}`), name).toHaveLength(1);
  expect(await deliveries(key)).toHaveLength(Object.keys(expected).length);
  expect((await entries(platform, id)).filter(([kind]) => kind === "refund")).toHaveLength(5);
});

it("posts the end of a call that was cancelled before it ran", async () => {
  const idle = await startTestPlatform({
    env: { ALLOW_PRIVATE_UPSTREAMS: "1" },
    pools: [{ pool: "system", slots: 1 }],
  });
  const { key, secret } = await subscriber(idle);
  const path = `/api/call/test-work?webhook=${encodeURIComponent(`${receiver.url}/unserved`)}`;
  const { body } = await idle.request("POST", path, { key, body: {}, headers: ASYNC });
  expect(body.status).toBe("queued");
  await idle.request("POST", `/api/calls/${body.call_id}/cancel`, { key });
  const [request] = await receiver.take("/unserved", 1);
  expect(verified(secret, request!)).toMatchObject({
    type: "call.cancelled",
    data: { error: "cancelled", refunded: true, call_id: body.call_id },
  });
  expect(await idle.database.violations()).toBe(0);
  await idle.stop();
});

it("tries again 5 seconds after a 500, with the same id, and then is done", async () => {
  const { key, secret } = await subscriber();
  // The second attempt is under way until the end of the first one was looked at.
  const looked = Promise.withResolvers<void>();
  receiver.answers(
    "/flaky",
    status(500),
    (response) => void looked.promise.then(() => status(204)(response)),
  );
  await call(key, `${receiver.url}/flaky`);
  await receiver.take("/flaky", 1);
  const failed = await delivery(key, { last_status: 500 });
  expect(failed).toMatchObject({ status: "pending", attempts: 1 });
  const [first, second] = await receiver.take("/flaky", 2);
  looked.resolve();
  expect(second!.at - first!.at).toBeGreaterThan(4_900);
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  expect(second!.text).toBe(first!.text);
  for (const request of [first!, second!]) verified(secret, request);
  expect(await delivery(key, { status: "delivered" })).toMatchObject({
    attempts: 2,
    last_status: 204,
    next_at: null,
  });
});

it("gives up after more than a day of attempts", async () => {
  const { id, key } = await subscriber();
  receiver.answers("/hopeless", ...Array.from({ length: 20 }, () => status(503)));
  await call(key, `${receiver.url}/hopeless`);
  await delivery(key, { last_status: 503 });
  await platform.database.owner.query(
    `update webhook_deliveries set attempts = 14, created_at = created_at - interval '25 hours', next_at = clock_timestamp()
      where account_id = $1`,
    [id],
  );
  expect(await delivery(key, { status: "failed" })).toMatchObject({
    attempts: 15,
    last_status: 503,
    next_at: null,
  });
});

it("goes on after an address at which nobody listens", async () => {
  const { key } = await subscriber();
  await call(key, "http://127.0.0.1:1/nobody");
  const failed = await delivery(key, { attempts: 1 });
  expect(failed).toMatchObject({ status: "pending", last_status: null, next_at: expect.any(String) });
});

it("does not follow redirects", async () => {
  const { key } = await subscriber();
  const moved = status(307, { location: `${receiver.url}/elsewhere` });
  receiver.answers("/moved", ...Array.from({ length: 20 }, () => moved));
  await call(key, `${receiver.url}/moved`);
  expect(await delivery(key, { last_status: 307 })).toMatchObject({ status: "pending" });
  expect(receiver.on("/elsewhere")).toEqual([]);
});

it("does not wait for the end of an endless answer", async () => {
  const { key } = await subscriber();
  receiver.answers("/endless", (response) => {
    response.writeHead(200);
    const pour = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), pour));
    pour();
  });
  await call(key, `${receiver.url}/endless`);
  expect(await delivery(key, { status: "delivered" })).toMatchObject({ last_status: 200, attempts: 1 });
});

it("signs with the new secret and with the one before for 24 hours", async () => {
  const { id, key, secret: old } = await subscriber();
  const secret = await newSecret(key);
  expect(secret).not.toBe(old);
  await call(key, `${receiver.url}/both`);
  const [both] = await receiver.take("/both", 1);
  expect(both!.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  verified(secret, both!);
  verified(old, both!);

  await platform.database.owner.query(
    "update webhook_secrets set retires_at = retires_at - interval '24 hours' where account_id = $1",
    [id],
  );
  await call(key, `${receiver.url}/alone`);
  const [alone] = await receiver.take("/alone", 1);
  verified(secret, alone!);
  expect(() => verified(old, alone!)).toThrow("No matching signature");
});

it("keeps one current secret and a few old ones, however often and quickly it is replaced", async () => {
  const { id, key } = await subscriber();
  await Promise.all(Array.from({ length: 8 }, () => newSecret(key)));
  const secrets = await platform.database.owner.query<{ retires_at: Date | null }>(
    "select retires_at from webhook_secrets where account_id = $1",
    [id],
  );
  expect(secrets).toHaveLength(5);
  expect(secrets.filter(({ retires_at }) => retires_at === null)).toHaveLength(1);
});

it("refuses a webhook without a secret to sign it, uncharged", async () => {
  const { id, key } = await platform.account(10);
  const { status: answered, body } = await call(key, `${receiver.url}/unsigned`);
  expect([answered, body.error]).toEqual([400, "webhook_secret_missing"]);
  expect(await entries(platform, id)).toEqual([]);
  expect(await deliveries(key)).toEqual([]);
});

it("refuses a URL to which nothing is sent, uncharged, before it looks for a secret", async () => {
  const { id, key } = await platform.account(10);
  const urls = [
    "",
    "nonsense",
    "ftp://127.0.0.1/",
    "http://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://2852039166/",
    "https://[fd00::1]/",
    "https://[::ffff:192.168.0.1]/",
    "https://metadata.google.internal/",
    "https://user:password@example.com/",
    `https://example.com/${"a".repeat(2_048)}`,
  ];
  for (const url of urls) {
    const { status: answered, body } = await call(key, url);
    expect([answered, body.error, body.issues?.[0]?.path], url).toEqual([400, "invalid_input", "webhook"]);
  }
  const twice = await platform.request(
    "POST",
    "/api/call/test-inline?webhook=https://a.example&webhook=https://b.example",
    { key, body: {} },
  );
  expect([twice.status, twice.body.error]).toEqual([400, "invalid_input"]);
  expect(await entries(platform, id)).toEqual([]);
});

it("delivers once for a call that is asked for again with its Idempotency-Key", async () => {
  const { key } = await subscriber();
  const headers = { "idempotency-key": "same" };
  for (const slug of ["test-inline", "test-inline"]) {
    expect((await call(key, `${receiver.url}/again`, { slug, headers })).status).toBe(200);
  }
  expect(
    (await call(key, `${receiver.url}/again-elsewhere`, { headers })).headers.get("idempotent-replayed"),
  ).toBe("true");
  await receiver.take("/again", 1);
  await letPass(TWO_LOOKS_MS);
  expect(receiver.on("/again")).toHaveLength(1);
  expect(receiver.on("/again-elsewhere")).toEqual([]);
  expect(await deliveries(key)).toHaveLength(1);
});

it("makes no delivery for a call that is refused or that wants none", async () => {
  const { key } = await subscriber();
  await call(key, `${receiver.url}/dear`, { headers: { "max-price": "0" } });
  await platform.request("POST", "/api/call/test-inline", { key, body: {} });
  expect(await deliveries(key)).toEqual([]);
});

it("pages through the deliveries of the account alone, newest first", async () => {
  const [own, other] = [await subscriber(), await subscriber()];
  await call(other.key, `${receiver.url}/other`);
  const made: string[] = [];
  for (let nth = 0; nth < 5; nth++)
    made.unshift((await call(own.key, `${receiver.url}/page/${nth}`)).body.call_id);
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const path: string = `/api/webhooks/deliveries?limit=2${before === null ? "" : `&before=${before}`}`;
    const { body } = await platform.request("GET", path, { key: own.key });
    seen.push(...body.deliveries.map((one: { call_id: string }) => one.call_id));
    before = body.next_before;
  } while (before !== null);
  expect(seen).toEqual(made);
  expect((await platform.request("GET", "/api/webhooks/deliveries")).status).toBe(401);
  expect((await platform.request("POST", "/api/webhooks/secret")).status).toBe(401);
});

it("does not let one account's hanging receiver hold up another's", async () => {
  const [slow, quick] = [await subscriber(), await subscriber()];
  receiver.answers("/hanging", ...Array.from({ length: 40 }, () => hang));
  await Promise.all(Array.from({ length: 40 }, () => call(slow.key, `${receiver.url}/hanging`)));
  await receiver.take("/hanging", LIMITS.webhookSlotsPerAccount);
  await call(quick.key, `${receiver.url}/quick`);
  await receiver.take("/quick", 1);
  expect(receiver.on("/hanging")).toHaveLength(LIMITS.webhookSlotsPerAccount);
});

it("lets several senders send at once, each message by one of them", async () => {
  const { key } = await subscriber();
  const others = [await platform.addWorker([{ pool: "system", slots: 1 }])];
  const calls = await Promise.all(Array.from({ length: 40 }, () => call(key, `${receiver.url}/many`)));
  await receiver.take("/many", 40);
  await letPass(TWO_LOOKS_MS);
  const ids = receiver.on("/many").map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(calls.length);
  expect(ids).toHaveLength(calls.length);
  for (const other of others) await other.drain(0);
});

it("sends again what a killed sender held", async () => {
  await sender.drain(0);
  const killed = startSender(platform);
  const { id, key, secret } = await subscriber();
  receiver.answers("/killed", hang);
  await call(key, `${receiver.url}/killed`);
  await receiver.take("/killed", 1);
  killed.kill("SIGKILL");
  await once(killed, "exit");

  sender = await platform.addWorker([{ pool: "system", slots: 1 }]);
  await letPass(TWO_LOOKS_MS);
  expect(receiver.on("/killed"), "the lease holds").toHaveLength(1);
  await platform.database.owner.query(
    "update webhook_deliveries set next_at = clock_timestamp() where account_id = $1",
    [id],
  );
  const [, again] = await receiver.take("/killed", 2);
  expect(verified(secret, again!)).toMatchObject({ type: "call.succeeded" });
  expect(await delivery(key, { status: "delivered" })).toMatchObject({ attempts: 2 });
});

it("stores a secret sealed, for its own account alone", async () => {
  const [one, two] = [await subscriber(), await subscriber()];
  const { owner } = platform.database;
  const stored = await owner.query<{ secret: string }>("select secret from webhook_secrets");
  for (const { secret } of stored) expect(secret).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  const text = JSON.stringify(stored);
  for (const { secret } of [one, two]) expect(text).not.toContain(secret.slice("whsec_".length, -1));

  const sealed = await owner.query<{ secret: string }>(
    "select secret from webhook_secrets where account_id = $1",
    [one.id],
  );
  const texts = sealed.map(({ secret }) => secret);
  expect(openSecrets(platform.runtime.keyRing, one.id, texts)).toEqual([one.secret]);
  expect(() => openSecrets(platform.runtime.keyRing, two.id, texts)).toThrow();
});

it("never shows a secret again, and lets the service change no delivery's making", async () => {
  const { key, secret } = await subscriber();
  await call(key, `${receiver.url}/shown`);
  await receiver.take("/shown", 1);
  const answers = await Promise.all(
    ["/api/account", "/api/keys", "/api/webhooks/deliveries", "/api/calls"].map((path) =>
      platform.request("GET", path, { key }),
    ),
  );
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(secret.slice("whsec_".length));
  for (const sql of [
    "insert into webhook_deliveries (call_id, account_id) values ('call_x', 'acc_x')",
    "delete from webhook_deliveries",
    "update webhook_deliveries set account_id = 'acc_x'",
    "update webhook_secrets set secret = 'known'",
  ]) {
    await expect(platform.database.app.query(sql), sql).rejects.toThrow("permission denied");
  }
});

/** A process of its own that sends webhooks. */
function startSender({ runtime: { config } }: TestPlatform): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, "../../src/cli/main.ts"), "worker", "system"], {
    env: {
      DATABASE_URL: config.databaseUrl ?? "",
      DATA_DIR: config.dataDir,
      CAPABILITIES_DIR: join(import.meta.dirname, "../support/capabilities"),
      ALLOW_PRIVATE_UPSTREAMS: "1",
      LOG_LEVEL: "fatal",
      ...withLimits(PATIENT),
      ...(config.redisUrl === null ? {} : { REDIS_URL: config.redisUrl, REDIS_PREFIX: config.redisPrefix }),
    },
    stdio: "inherit",
  });
}
