import { afterAll, beforeAll, expect, it } from "vitest";
import { retainResults } from "../../src/core/calls/retention.ts";
import { begin, ended } from "../support/calls.ts";
import { moveClock } from "../support/clock.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const DAYS = 30;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** How many rows of a run are kept. */
const keptOf = async (id: string): Promise<object | undefined> =>
  (
    await platform.database.owner.query(
      `select (select count(*)::integer from runs where id = $1) as runs,
              (select count(*)::integer from run_nodes where run_id = $1) as nodes,
              (select count(*)::integer from run_mail where run_id = $1) as mail,
              (select count(*)::integer from calls where id = $1 or parent_id = $1) as calls`,
      [id],
    )
  )[0];

async function runOfTwo(key: string): Promise<string> {
  const id = await begin(platform, key, "test-run", { nodes: [{ name: "a" }, { name: "b", needs: ["a"] }] });
  expect(await ended(platform, key, id)).toMatchObject({ outcome: "succeeded" });
  return id;
}

it("lets nodes, documents and mail of ended runs go with their results, and of no other run", async () => {
  const { owner, app } = platform.database;
  const { key } = await platform.account(100);
  const old = [await runOfTwo(key), await runOfTwo(key)];
  // What comes late for a run that has ended: nobody may be there to take it away.
  const [late = ""] = old;
  await until(async () => (await owner.query("select from run_mail")).length === 0);
  await retainResults(app, DAYS);
  for (const id of old) expect(await keptOf(id)).toEqual({ runs: 1, nodes: 2, mail: 0, calls: 3 });

  await moveClock(owner, "1 year");
  const fresh = await runOfTwo(key);
  await owner.query(
    "insert into run_mail (run_id, call_id, kind, created_at) values ($1, $1, 'cancel', clock_now())",
    [late],
  );
  // A run that is under way has no age.
  await owner.query(
    `insert into runs (id, account_id, rules, depth, deadline_at, created_at)
     select 'call_under_way', account_id, rules, depth, clock_now() + interval '1 hour', created_at from runs where id = $1`,
    [late],
  );
  await retainResults(app, DAYS);
  for (const id of old) expect(await keptOf(id)).toEqual({ runs: 0, nodes: 0, mail: 0, calls: 3 });
  expect(await keptOf(fresh)).toEqual({ runs: 1, nodes: 2, mail: 0, calls: 3 });
  expect(await keptOf("call_under_way")).toMatchObject({ runs: 1 });
  await owner.query("delete from runs where id = 'call_under_way'");
  const { body } = await platform.request("GET", `/api/calls/${late}`, { key });
  expect(body).toMatchObject({ outcome: "succeeded", result: null, result_expired: true });
});

it("takes no more runs at once than it is told, the oldest first", async () => {
  const { owner, app } = platform.database;
  const { key } = await platform.account(100);
  const runs = [await runOfTwo(key), await runOfTwo(key), await runOfTwo(key)];
  const left = async (): Promise<string[]> =>
    (await owner.query<{ id: string }>("select id from runs where id = any ($1) order by id", [runs])).map(
      ({ id }) => id,
    );
  const expire = (): Promise<unknown> =>
    owner.query("select expire_runs(clock_now() + interval '1 second', $1)", [1]);
  const others = await owner.query("select from runs where id <> all ($1)", [runs]);
  for (let n = 0; n < others.length; n++) await expire();
  expect(await left()).toEqual(runs);
  await expire();
  expect(await left()).toEqual(runs.slice(1));
  await expect(app.query("select expire_runs(clock_now(), 1)")).rejects.toThrow(/permission denied/);
});
