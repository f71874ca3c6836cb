import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MODEL_TIERS } from "../../src/core/models/models.ts";
import type { Vector } from "../../src/core/catalog/capability.ts";
import { passes } from "../../src/core/catalog/vectors.ts";
import { balance, entries } from "../support/calls.ts";
import {
  type FakeModelServer,
  good,
  malformed,
  SERVERS_WORDS,
  slow,
  startModelServer,
  status,
} from "../support/model-server.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { letPass } from "../support/let-pass.ts";

const KEY = "sk-a-key-of-the-tests";
const FUNDS = 10_000;
const SLOW_MS = 100;
/** Longer than an answer about open circuits may be old. */
const SEEN_MS = 700;

let models: FakeModelServer;
let platform: TestPlatform;
beforeAll(async () => {
  models = await startModelServer();
  const names = MODEL_TIERS.map((tier) => [`MODEL_${tier.toUpperCase()}`, `meshforge-offline-${tier}`]);
  platform = await startTestPlatform({
    pools: [
      { pool: "brain", slots: 8 },
      { pool: "brain-large", slots: 8 },
      { pool: "image", slots: 2 },
    ],
    env: {
      OPENAI_BASE_URL: `${models.url}/v1`,
      OPENAI_API_KEY: KEY,
      ...(Object.fromEntries(names) as Record<string, string>),
    },
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});
afterEach(async () => {
  models.behave(good);
  const opened = await platform.database.owner.query("delete from model_circuits returning tier");
  if (opened.length > 0) await letPass(SEEN_MS);
});

type Case = { readonly slug: string; readonly vector: Vector };

/** Every capability that declares a model, with its golden vectors that end well. */
const cases = (): Case[] =>
  [...platform.runtime.catalog.snapshot.capabilities.values()]
    .filter(({ model }) => model !== undefined)
    .flatMap(({ slug, vectors }) =>
      vectors.filter(({ expect }) => expect !== undefined).map((vector) => ({ slug, vector })),
    );
/** One of them for each capability. */
const oneEach = (): Case[] => [...new Map(cases().map((one) => [one.slug, one])).values()];

/** Calls with an account of its own, and looks at what became of its money. */
async function call({ slug, vector }: Case) {
  const account = await platform.account(FUNDS);
  const asked = models.seen.length;
  const { status, headers, body } = await platform.request("POST", `/api/call/${slug}`, {
    key: account.key,
    body: vector.input,
  });
  const told = JSON.stringify([body, [...headers]]);
  for (const secret of [KEY, SERVERS_WORDS]) expect(told).not.toContain(secret);
  return {
    slug,
    status,
    body,
    asked: models.seen.length > asked,
    spent: FUNDS - (await balance(platform, account.id)),
    entries: await entries(platform, account.id),
  };
}
type Called = Awaited<ReturnType<typeof call>>;

function expectSuccess(called: Called, { slug, vector }: Case): void {
  const name = `${slug}: ${vector.name ?? ""}`;
  expect({ name, status: called.status, error: called.body.error }).toEqual({ name, status: 200 });
  expect({ name, passes: passes(vector, { output: called.body.result }) }).toEqual({ name, passes: true });
  expect({ name, spent: called.spent }).toEqual({ name, spent: called.body.price });
}

function expectRefund({ slug, body, spent, entries }: Called): void {
  expect({ slug, spent }).toEqual({ slug, spent: 0 });
  if (body.call_id === undefined) expect(entries).toEqual([]);
  else {
    expect(body).toMatchObject({ refunded: true, status: "failed" });
    expect(entries).toEqual([
      ["charge", -body.price],
      ["refund", body.price],
    ]);
  }
}

describe("every capability that cannot do without a model", () => {
  it("is in this test", () => {
    expect(oneEach().map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(["test-question", "test-question-large"]),
    );
  });

  it("gives what its golden vectors expect, with a good server", async () => {
    await Promise.all(cases().map(async (one) => expectSuccess(await call(one), one)));
  });

  it("gives the same with a slow server", async () => {
    models.behave(slow(SLOW_MS));
    await Promise.all(oneEach().map(async (one) => expectSuccess(await call(one), one)));
  });

  it("fails with 502 and is refunded with a server that answers malformed things", async () => {
    models.behave(malformed);
    for (const one of oneEach()) {
      const called = await call(one);
      // What it finds out without asking is right also when the server is wrong.
      if (!called.asked) expectSuccess(called, one);
      else {
        expect({ slug: one.slug, status: called.status }).toEqual({ slug: one.slug, status: 502 });
        expect(called.body.error).toBe("model_output_invalid");
        expectRefund(called);
      }
    }
  });

  it("fails with 503 and is refunded, or refused uncharged, with a dead server", async () => {
    models.behave(status(500));
    const all = await Promise.all(oneEach().map(async (one) => ({ one, called: await call(one) })));
    for (const { one, called } of all) {
      // As above; who asked cannot be told of calls that are made at once.
      if (called.status === 200) expectSuccess(called, one);
      else {
        expect(called).toMatchObject({ slug: one.slug, status: 503, body: { error: "model_unavailable" } });
        expectRefund(called);
      }
    }
  });
});
