import { afterAll, beforeAll, expect, it } from "vitest";
import { begin, ended, entries } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** Breaks connections to the database, as a restart or a proxy in between would. */
async function breakConnections(applicationNameLike: string): Promise<number> {
  const broken = await platform.database.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like $1`,
    [applicationNameLike],
  );
  return broken.length;
}

it("hears of calls and of their ends again after its listening connection broke", async () => {
  const { key } = await platform.account(20);
  await breakConnections("meshforge listener");
  const first = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  expect(first.status).toBe(200);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(await ended(platform, key, callId)).toMatchObject({ status: "cancelled" });
});

it("charges each of many calls once although connections break under them and callers send again", async () => {
  const { id, key } = await platform.account(1_000);
  let answered = 0;
  const send = async (n: number): Promise<string> => {
    for (;;) {
      const slug = n % 2 === 0 ? "test-inline" : "test-work";
      const answer = await platform.request("POST", `/api/call/${slug}`, {
        key,
        body: { text: String(n) },
        headers: { "idempotency-key": `n ${n}` },
      });
      if (answer.status === 200) {
        answered++;
        expect(answer.body.result).toEqual({ text: String(n) });
        return answer.body.call_id;
      }
      if (answer.status === 202) return (await ended(platform, key, answer.body.call_id)).call_id;
      expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    }
  };
  const sending = Promise.all(Array.from({ length: 120 }, (_, n) => send(n)));
  let broken = 0;
  for (let breaks = 0; breaks < 4; breaks++) {
    await until(() => answered > 20 * breaks);
    broken += await breakConnections("meshforge test%");
  }
  expect(broken).toBeGreaterThan(0);
  const ids = await sending;
  expect(new Set(ids).size).toBe(120);
  await until(async () => {
    const open = await platform.database.owner.query("select from calls where ended_at is null limit 1");
    return open.length === 0;
  });
  const all = await entries(platform, id);
  expect(all.filter(([kind]) => kind === "charge")).toHaveLength(120);
  expect(all.filter(([kind]) => kind === "refund")).toEqual([]);
});
