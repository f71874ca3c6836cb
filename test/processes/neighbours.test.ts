import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LARGE_CALLS } from "../support/large-calls.ts";
import { meshforge, type ProcessPlatform, startProcesses } from "../support/process-platform.ts";

/** The longest that a call may hold the event loop of an API process, and that all which came at once may. */
const HELD_MS = { byOne: 20, byMany: 100 };
const MESH = "1000000";
const AT_ONCE = 200;

const watchFile = join(tmpdir(), `meshforge-loop-${randomUUID()}`);
let platform: ProcessPlatform;
let database: pg.Client;
beforeAll(async () => {
  await writeFile(watchFile, "");
  platform = await startProcesses({
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "../support/loop-watch.ts")}`,
    LOOP_WATCH_FILE: watchFile,
  });
  database = new pg.Client({ connectionString: platform.run().databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await platform?.stop();
  await platform?.remove();
  await rm(watchFile, { force: true });
});

/** A new account that can pay for all, by its key. */
async function account(): Promise<string> {
  const handle = `t-${randomUUID().slice(0, 8)}`;
  const response = await fetch(`${platform.run().baseUrl}/api/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ handle }),
  });
  const { child } = meshforge(["account", "grant", handle, MESH, "MESH"], platform.env);
  await new Promise((resolve) => child.once("exit", resolve));
  return ((await response.json()) as { api_key: string }).api_key;
}

type Answer = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Record<string, unknown>;
};

async function call(key: string, slug: string, body: string, prefer = "wait=100"): Promise<Answer> {
  const response = await fetch(`${platform.run().baseUrl}/api/call/${slug}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer },
    body,
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: answer };
}

/** The longest pass of the API's event loop that ended since then, in ms of CPU time. */
async function heldSince(sinceMs: number): Promise<number> {
  const lines = (await readFile(watchFile, "utf8")).trim().split("\n");
  const passes = lines.map((line) => line.split(" ").map(Number));
  return Math.max(0, ...passes.filter(([at = 0]) => at >= sinceMs).map(([, ms = 0]) => ms));
}

it.each(LARGE_CALLS)(
  "$what runs in a worker's thread, and holds the API's loop no longer than a call may",
  async ({ slug, body }) => {
    const key = await account();
    const text = body();
    // The first one loads what the API loads once.
    expect((await call(key, slug, text)).body).toMatchObject({ status: "succeeded" });
    const since = Date.now();
    const answer = await call(key, slug, text);
    expect(answer).toMatchObject({ status: 200, body: { status: "succeeded" } });
    const { rows } = await database.query("select pool from calls where id = $1", [answer.body["call_id"]]);
    expect(rows).toEqual([{ pool: "text" }]);
    expect(await heldSince(since)).toBeLessThan(HELD_MS.byOne);
  },
);

it.each(LARGE_CALLS)(
  `$what, asked for ${AT_ONCE} times at once, is taken or refused as overloaded, while small calls of others go on`,
  async ({ slug, body }) => {
    const [key, other] = await Promise.all([account(), account()]);
    const text = body();
    expect((await call(key, slug, text)).status).toBe(200);
    const since = Date.now();
    let pending = AT_ONCE;
    const many = Array.from({ length: AT_ONCE }, () =>
      call(key, slug, text, "respond-async").finally(() => pending--),
    );
    const small: Answer[] = [];
    while (pending > 0) small.push(await call(other, "test-inline", '{"text":"a"}'));
    const refused: Answer[] = [];
    for (const answer of await Promise.all(many)) {
      if (answer.status === 202) continue;
      expect(answer).toMatchObject({ status: 503, retryAfter: "1", body: { error: "overloaded" } });
      refused.push(answer);
    }
    expect(refused.length).toBeLessThan(AT_ONCE);
    expect(new Set(small.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await heldSince(since)).toBeLessThan(HELD_MS.byMany);
  },
);
