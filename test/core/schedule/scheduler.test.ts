import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/adapters/postgres/database.ts";
import { LIMITS } from "../../../src/core/limits.ts";
import { defineJob, type Job } from "../../../src/core/schedule/job.ts";
import { Scheduler } from "../../../src/core/schedule/scheduler.ts";
import {
  endRun,
  enterJobs,
  readSchedules,
  type Schedule,
  takeTurns,
} from "../../../src/core/schedule/schedules.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { until } from "../../support/until.ts";
import { letPass } from "../../support/let-pass.ts";

let database: TestDatabase;
const connections: Database[] = [];
const started: Scheduler[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((scheduler) => scheduler.stop()));
  await database.owner.query("delete from schedules");
});
afterAll(async () => {
  await Promise.all(connections.map((db) => db.close()));
  await database.drop();
});

/** What one process of the cluster does, with connections of its own and the service's restricted role. */
function start(jobs: readonly Job[], onError: (error: unknown) => void = () => undefined): Scheduler {
  const db = openDatabase({
    url: database.url,
    role: "meshforge_app",
    lookUpsOnly: true,
    maxConnections: 2,
    applicationName: "test schedule",
  });
  connections.push(db);
  const scheduler = new Scheduler({ db, jobs, onError });
  started.push(scheduler);
  scheduler.start();
  return scheduler;
}

const throwAtOnce = (): Promise<void> => {
  throw new Error("at once");
};

async function schedule(name: string): Promise<Schedule> {
  const found = (await readSchedules(database.app)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no job ${name}`);
  return found;
}

const row = async (name: string) => {
  const [found] = await database.owner.query<{ fence: number; due_at: Date; leased_until: Date | null }>(
    "select fence, due_at, leased_until from schedules where name = $1",
    [name],
  );
  if (found === undefined) throw new Error(`there is no job ${name}`);
  return found;
};

it("runs each job once in a period, one run at a time, in a cluster of three", async () => {
  const periods = { often: 200, seldom: 500 };
  const runs = { often: 0, seldom: 0 };
  const atOnce = { often: 0, seldom: 0 };
  const jobs = (Object.keys(periods) as (keyof typeof periods)[]).map((name) =>
    defineJob({
      name,
      everyMs: periods[name],
      run: async () => {
        runs[name]++;
        expect(++atOnce[name]).toBe(1);
        await letPass(30);
        atOnce[name]--;
      },
    }),
  );
  const errors: unknown[] = [];
  const before = Date.now();
  const three = [1, 2, 3].map(() => start(jobs, (error) => errors.push(error)));
  await until(() => Promise.resolve(runs.often >= 12 && runs.seldom >= 5));
  await Promise.all(three.map((scheduler) => scheduler.stop()));
  for (const name of ["often", "seldom"] as const) {
    const { fence, due_at, leased_until } = await row(name);
    expect(fence, "each run that was begun").toBe(runs[name]);
    expect(leased_until).toBeNull();
    // Each run puts the next one off by a whole period; the last may have been handed back.
    const periodsPassed = (due_at.getTime() - before) / periods[name];
    expect(runs[name]).toBeLessThanOrEqual(Math.ceil(periodsPassed) + 1);
    expect(await schedule(name)).toMatchObject({ last_ran_at: expect.any(Date), last_failed_at: null });
  }
  expect(errors).toEqual([]);
});

it("goes on with a job that fails, leaves a trace of it, and harms no other", async () => {
  const errors: unknown[] = [];
  let tries = 0;
  let others = 0;
  const jobs = [
    defineJob({
      name: "failing",
      everyMs: 100,
      run: () => {
        tries++;
        return Promise.reject(new Error("as ever"));
      },
    }),
    defineJob({ name: "sound", everyMs: 100, run: () => Promise.resolve(void others++) }),
  ];
  start(jobs, (error) => errors.push(error));
  await until(() => Promise.resolve(tries >= 3 && others >= 3));
  const { last_ran_at, last_failed_at } = await schedule("failing");
  expect(last_failed_at).toBeInstanceOf(Date);
  expect(last_ran_at).toEqual(last_failed_at);
  expect((await schedule("sound")).last_failed_at).toBeNull();
  expect(errors).toContainEqual(new Error("as ever"));
});

it("takes a job that throws before it gives a promise as one that failed", async () => {
  start([defineJob({ name: "broken", everyMs: 100, run: throwAtOnce })]);
  await until(async () => (await readSchedules(database.app))[0]?.last_failed_at);
});

it("renews the lease of a long run, so that no other begins one", async () => {
  let begun = 0;
  const long = defineJob({
    name: "long",
    everyMs: 100,
    run: async ({ signal }) => {
      begun++;
      await once(signal, "abort");
    },
  });
  const [first] = [start([long]), start([long])];
  await until(() => Promise.resolve(begun === 1));
  await letPass(LIMITS.leaseMs + 1_000);
  expect(begun).toBe(1);
  await first.stop();
});

it("tells a run that its job is another's now, and lets it note nothing", async () => {
  const lost = Promise.withResolvers<unknown>();
  const held = defineJob({
    name: "held",
    everyMs: 60_000,
    run: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          lost.resolve(signal.reason);
          reject(new Error("stopped"));
        });
      }),
  });
  start([held]);
  await until(async () => (await row("held").catch(() => null))?.leased_until);
  await database.owner.query(
    "update schedules set fence = fence + 1, leased_until = clock_timestamp() + interval '1 minute' where name = 'held'",
  );
  expect(await lost.promise).toBe("lost");
  await Promise.all(started.splice(0).map((scheduler) => scheduler.stop()));
  expect((await row("held")).leased_until, "the other's lease stands").toBeInstanceOf(Date);
  expect(await schedule("held")).toMatchObject({ last_ran_at: null, last_failed_at: null });
});

it("hands back what it stops in the middle, and it is no failure", async () => {
  const begun = Promise.withResolvers<void>();
  const cut = defineJob({
    name: "cut",
    everyMs: 3_600_000,
    run: async ({ signal }) => {
      begun.resolve();
      await once(signal, "abort");
      throw new Error("stopped");
    },
  });
  const first = start([cut]);
  await begun.promise;
  await first.stop();
  expect(await schedule("cut")).toMatchObject({ last_ran_at: null, last_failed_at: null });
  let again = 0;
  start([{ ...cut, run: () => Promise.resolve(void again++) }]);
  await until(() => Promise.resolve(again === 1));
});

it("stops although a run takes no notice", async () => {
  const begun = Promise.withResolvers<void>();
  const deaf = defineJob({
    name: "deaf",
    everyMs: 3_600_000,
    run: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  });
  const scheduler = start([deaf]);
  await begun.promise;
  await scheduler.stop();
  expect((await row("deaf")).leased_until).toBeNull();
});

it("runs a job whose date or lease a wrong clock has put far ahead", async () => {
  let runs = 0;
  const job = defineJob({ name: "ahead", everyMs: 100, run: () => Promise.resolve(void runs++) });
  await database.owner.query(
    `insert into schedules (name, every_ms, due_at, leased_until)
     values ('ahead', 100, clock_timestamp() + interval '1 year', clock_timestamp() + interval '1 year')`,
  );
  start([job]);
  await until(() => Promise.resolve(runs >= 2));
});

it("takes over the period that a process of another version brings", async () => {
  const job = { name: "moved", everyMs: 3_600_000, run: () => Promise.resolve() };
  await enterJobs(database.app, [job]);
  await enterJobs(database.app, [{ ...job, everyMs: 500 }]);
  expect(await schedule("moved")).toMatchObject({ every_ms: 500 });
});

it("gives one due job to one of those who ask at the same moment, and counts a lost run as failed", async () => {
  const job = { name: "wanted", everyMs: 3_600_000, run: () => Promise.resolve() };
  await enterJobs(database.app, [job]);
  const ask = () => takeTurns(database.app, { names: ["wanted"], held: [], leaseMs: 5_000 });
  const verdicts = (await Promise.all(Array.from({ length: 20 }, ask))).flat().map(({ verdict }) => verdict);
  expect(verdicts.filter((verdict) => verdict === "taken")).toHaveLength(1);
  await database.owner.query(
    "update schedules set due_at = clock_timestamp(), leased_until = clock_timestamp() where name = 'wanted'",
  );
  expect(await ask()).toMatchObject([{ name: "wanted", verdict: "taken", fence: 2 }]);
  expect((await schedule("wanted")).last_failed_at).toBeInstanceOf(Date);
  await endRun(database.app, { name: "wanted", fence: 1 }, "ran");
  expect((await schedule("wanted")).last_ran_at, "the first run has lost the job").toBeNull();
  await endRun(database.app, { name: "wanted", fence: 2 }, "ran");
  expect((await schedule("wanted")).last_ran_at).toBeInstanceOf(Date);
});

it("leaves the rows to the functions of the database", async () => {
  await expect(database.app.query("update schedules set fence = 0")).rejects.toThrow("permission denied");
});
