import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/core/limits.ts";
import { defineJob } from "../../../src/core/schedule/job.ts";
import { Scheduler } from "../../../src/core/schedule/scheduler.ts";

const run = (): Promise<void> => Promise.resolve();

describe("defineJob", () => {
  it.each(["", "Sweep", "sweep calls", "9lives", "x".repeat(65)])("takes no name like %j", (name) => {
    expect(() => defineJob({ name, everyMs: 1_000, run })).toThrow("no name of a job");
  });

  it.each([0, LIMITS.jobEveryMs.min - 1, LIMITS.jobEveryMs.max + 1, 1_000.5, Number.NaN])(
    "takes no pause of %d ms",
    (everyMs) => {
      expect(() => defineJob({ name: "sweep", everyMs, run })).toThrow("the job sweep runs every");
    },
  );
});

it("refuses two jobs of one name", () => {
  const job = defineJob({ name: "sweep", everyMs: 1_000, run });
  const db = { query: () => Promise.reject(new Error("is not asked")) };
  expect(() => new Scheduler({ db, jobs: [job, { ...job }], onError: () => undefined })).toThrow(
    "two jobs are called sweep",
  );
});
