import { setTimeout as sleep } from "node:timers/promises";
import { defineJob } from "../../../../src/core/schedule/job.ts";

/** Writes down each run with its process, and stays in it while there is a row in `held_beats`. */
export default [
  defineJob({
    name: "test-beat",
    everyMs: 200,
    run: async ({ db, signal }) => {
      await db.query("insert into beats (pid) values ($1)", [process.pid]);
      while (!signal.aborted && (await db.query("select from held_beats")).length > 0) await sleep(20);
    },
  }),
];
