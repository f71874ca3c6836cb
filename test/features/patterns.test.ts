import { describe, expect, it } from "vitest";
import { ciPackage } from "../support/ci-package.ts";
import { patternsIn } from "../support/patterns.ts";

type Recheck = {
  check(source: string, flags: string, limits: object): Promise<{ readonly status: string }>;
};
const recheck = await ciPackage<Recheck>("recheck", "the proofs that patterns take linear time");

/** Its own limits of steps decide then, and a busy machine finds no pattern to be slow. */
const WITHOUT_A_CLOCK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
} as const;

describe.each([
  { folder: "features/safety-scrub", atLeast: 150 },
  { folder: "features/mail-triage", atLeast: 60 },
  { folder: "features/install-matrix", atLeast: 2 },
  { folder: "features/obs-migrate", atLeast: 20 },
  { folder: "features/market-audit-external-posture", atLeast: 40 },
  { folder: "features/trades", atLeast: 12 },
  { folder: "features/biz-analyze", atLeast: 30 },
  { folder: "features/personalize", atLeast: 5 },
  { folder: "features/pos-rescue", atLeast: 15 },
  { folder: "features/structured-extract", atLeast: 10 },
  { folder: "features/task-analysis", atLeast: 5 },
])("no pattern of $folder can be made to take more than linear time", ({ folder, atLeast }) => {
  const patterns = patternsIn(folder);

  it("and none is left out", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(atLeast);
  });

  it.skipIf(recheck === null).each(patterns)("$file: /$body/$flags", async ({ body, flags }) => {
    const verdict = await recheck?.check(body, flags, WITHOUT_A_CLOCK);
    expect(verdict?.status).toBe("safe");
  });
});
