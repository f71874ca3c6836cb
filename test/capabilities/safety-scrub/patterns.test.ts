import { readdirSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { describe, expect, it } from "vitest";

const FOLDER = new URL("../../../src/capabilities/safety-scrub/", import.meta.url);
const PATTERNS_AT_LEAST = 150;

const patterns = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => patternsOf(file, readFileSync(new URL(file, FOLDER), "utf8")));

/** The regular expressions of a source, found as they are written: between slashes, on one line, outside comments. */
function patternsOf(file: string, source: string): { file: string; body: string; flags: string }[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const literals = code.matchAll(
    /(?<=[(=,:!&\s[])\/(?=\S)((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gimsuvy]*)(?=[\s.,;)\]}])/g,
  );
  return [...literals].map(([, body = "", flags = ""]) => ({ file, body, flags }));
}

describe("no pattern can be made to take more than linear time", () => {
  it("covers every pattern of the scrubber", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(PATTERNS_AT_LEAST);
  });

  it.each(patterns)("$file: /$body/$flags", { timeout: 30_000 }, async ({ body, flags }) => {
    const { status } = await check(body, flags, { timeout: 20_000 });
    expect(status).toBe("safe");
  });
});
