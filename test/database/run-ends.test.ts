import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placeOutputs } from "../../src/core/calls/outputs.ts";
import { Work } from "../../src/core/calls/work.ts";
import { newId } from "../../src/core/ids.ts";
import { registerCapabilities } from "../../src/core/catalog/entries.ts";
import { loadConfig } from "../../src/platform/config.ts";
import { createRuntime, type Runtime } from "../../src/platform/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openAccount } from "./support.ts";

const PARENTS = 2_000;
const AT_ONCE = 64;
/** One after another, on a machine that does other things as well. */

let database: TestDatabase;
let dataDir: string;
/** Two processes that end calls and advance runs. Nobody sweeps. */
let processes: readonly Runtime[];
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "meshforge-runs-"));
  const config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    CAPABILITIES_DIR: join(import.meta.dirname, "../support/capabilities"),
    LOG_LEVEL: "fatal",
  });
  processes = await Promise.all(["first", "second"].map((name) => createRuntime(config, database.url, name)));
  for (const { db, catalog } of processes.slice(0, 1)) await registerCapabilities(db, catalog);
});
afterAll(async () => {
  for (const runtime of processes) await runtime.close();
  expect(await database.violations()).toBe(0);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const lists = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  );

/** Settles runs of two notes each, which need nothing. */
async function settleRuns(accountId: string): Promise<string[]> {
  const ids = Array.from({ length: PARENTS }, () => newId("call"));
  for (const list of lists(ids, AT_ONCE)) {
    const items = list.map((id) => ({
      id, account_id: accountId, slug: "test-run", version: "1.0.0", pool: "run", priority: 0, price: 0,
      currency: "MESH", state: "waiting", max_attempts: 3, timeout_ms: 1_000, deadline_ms: 600_000,
      input: JSON.stringify({ text: id, nodes: ["left", "right"].map(node), grow: 0, race: [], mistake: "none" }),
      input_sha256: "00".repeat(32), run_rules: 1,
    })); // prettier-ignore
    const placed = placeOutputs(items);
    await database.app.query("select settle_calls($1, $2, $3)", [
      JSON.stringify(placed.items),
      placed.outputs,
      PARENTS,
    ]);
  }
  return ids;
}

const node = (name: string): object => ({
  name,
  slug: "test-note",
  needs: [],
  mode: "note",
  ms: 0,
  onFailure: "end",
});

it("leaves none of 2,000 runs behind whose nodes end together, in two processes", async () => {
  const [first] = processes;
  if (first === undefined) throw new Error("there is no process");
  const { id: accountId } = await openAccount(database.owner, 0);
  const ids = await settleRuns(accountId);
  await Promise.all(ids.map((id) => first.runs.advance(id)));
  const works = processes.map(({ db }, nth) => new Work(db, `worker ${nth}`));
  const claimed = (await works[0]?.claim("brain", PARENTS * 2)) ?? [];
  expect(claimed).toHaveLength(PARENTS * 2);
  // Of each run the one node is the first worker's, and the other the second's.
  const seen = new Set<string>();
  const shares = claimed.map((call) => {
    const isSecond = seen.has(call.parentId ?? "");
    seen.add(call.parentId ?? "");
    return { call, nth: isSecond ? 1 : 0 };
  });
  await database.owner.query("update calls set worker = 'worker 1' where id = any($1)", [
    shares.filter(({ nth }) => nth === 1).map(({ call }) => call.id),
  ]);
  const report = { state: "succeeded", output: '{"before":[],"text":"done"}', output_ref: null } as const;
  const verdicts = await Promise.all(
    shares.map(async ({ call, nth }) => {
      const end = { id: call.id, attempt: call.attempt, ...report, output_sha256: "00".repeat(32) };
      const verdict = await works[nth]?.end(end);
      await processes[nth]?.runs.advance(call.parentId ?? "");
      return verdict;
    }),
  );
  expect(new Set(verdicts)).toEqual(new Set(["ended"]));
  await Promise.all(processes.map(({ runs }) => runs.settled()));
  const left = await database.owner.query("select id from runs where ended_at is null");
  expect(left).toHaveLength(0);
  const ended = await database.owner.query("select from calls where id = any($1) and state = 'succeeded'", [
    ids,
  ]);
  expect(ended).toHaveLength(PARENTS);
  expect(await database.owner.query("select from run_mail")).toHaveLength(0);
});
