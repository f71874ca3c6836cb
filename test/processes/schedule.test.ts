import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSchedules } from "../../src/core/schedule/schedules.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");

let database: TestDatabase;
let dataDir: string;
let workers: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "meshforge-schedule-"));
  await database.owner.query(
    `create table beats (id bigint generated always as identity, pid integer not null);
     create table held_beats (why text);
     grant select, insert on beats to meshforge_app; grant select on held_beats to meshforge_app`,
  );
  workers = await Promise.all([1, 2, 3].map(startWorker));
});
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A worker of the pool `system`, as an operator starts it, with a feature that brings a job. */
async function startWorker(): Promise<ChildProcess> {
  const worker = fork(MAIN, ["worker", "system"], {
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      CAPABILITIES_DIR: join(import.meta.dirname, "../support/scheduled"),
      LOG_LEVEL: "fatal",
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(worker, "message");
  return worker;
}

async function beats(): Promise<number[]> {
  const rows = await database.owner.query<{ pid: number }>("select pid from beats order by id");
  return rows.map(({ pid }) => pid);
}

/** The process whose beat comes next. */
async function nextBeat(): Promise<number> {
  const before = (await beats()).length;
  return await until(async () => (await beats())[before]);
}

async function kill(pid: number): Promise<void> {
  const worker = workers.find((one) => one.pid === pid);
  if (worker === undefined) throw new Error(`no worker has the id ${pid}`);
  worker.kill("SIGKILL");
  await once(worker, "exit");
}

const job = async (name: string) => (await readSchedules(database.app)).find((one) => one.name === name);

it("goes on when the process that runs a job is killed, between two runs and in the middle of one", async () => {
  const first = await nextBeat();
  await kill(first);
  const second = await until(async () => (await beats()).find((pid) => pid !== first));

  await database.owner.query("insert into held_beats values ('the run does not end')");
  const holder = await nextBeat();
  const heldFrom = (await beats()).length;
  await kill(holder);
  await database.owner.query("delete from held_beats");
  const third = await until(async () => (await beats())[heldFrom]);
  expect(third).not.toBe(holder);
  expect(workers.map(({ pid }) => pid)).toEqual(expect.arrayContaining([first, second, third]));
  expect((await job("test-beat"))?.last_failed_at, "the lost run left a trace").toBeInstanceOf(Date);

  const before = (await job("sweep-calls"))?.last_ran_at?.getTime() ?? 0;
  await until(async () => ((await job("sweep-calls"))?.last_ran_at?.getTime() ?? 0) > before);
});
