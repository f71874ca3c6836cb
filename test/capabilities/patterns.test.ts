import { check } from "recheck";
import { describe, expect, it } from "vitest";
import { patternsIn } from "../support/patterns.ts";

describe.each([
  { slug: "safety-scrub", atLeast: 150 },
  { slug: "mail-triage", atLeast: 60 },
  { slug: "industry-vocabulary", atLeast: 5 },
  { slug: "install-matrix", atLeast: 2 },
])("no pattern of $slug can be made to take more than linear time", ({ slug, atLeast }) => {
  const patterns = patternsIn(slug);

  it("and none is left out", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(atLeast);
  });

  it.each(patterns)("$file: /$body/$flags", { timeout: 30_000 }, async ({ body, flags }) => {
    const { status } = await check(body, flags, { timeout: 20_000 });
    expect(status).toBe("safe");
  });
});
