import { describe, expect, it } from "vitest";
import { testedCapability } from "../support/capability.ts";
import { offlineModels } from "../support/model-answers.ts";
import { cpuMs } from "../support/cpu-time.ts";

/** One server answers all calls, so that no text may hold it up; far above what any of these takes. */
const LIMIT_MS = 5_000;

const long = (piece: string, chars: number): string =>
  piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
const changed = (piece: string): string => {
  const lines = long(`-${piece}1\n+${piece}2\n k\n`, 90_000).split("\n").slice(0, -4);
  return `@@ -1,1 +1,1 @@\n${lines.join("\n")}\n`;
};

const PIECES = ["a", "\n- a", "A. ", "http://a@", "prime, ", "return "];
const BODIES: readonly (readonly [slug: string, body: (piece: string) => Record<string, unknown>])[] = [
  [
    "task-orchestrate",
    (piece) => ({
      task: `x${long(piece, 7_900)}`,
      tools: [`${long(piece, 400)}t`, "b"],
      context: { [long(piece, 9_000)]: "v" },
    }),
  ],
  ["browser-agent-101", (piece) => ({ question: `x${long(piece, 7_900)}` })],
  [
    "independent-ai-third-party-audit",
    (piece) => ({ scope: `x${long(piece, 19_900)}`, constraints: long(piece, 7_900) }),
  ],
  [
    "refutation-pass",
    (piece) => ({ claim: `never null, pure ${long(piece, 7_900)}`, code: long(piece, 99_000) }),
  ],
  ["refutation-pass", (piece) => ({ claim: `for all n, n is ${long(piece, 380)}` })],
  ["negative-control", (piece) => ({ fix: `x${long(piece, 90_000)}`, context: long(piece, 19_000) })],
  ["negative-control", (piece) => ({ fix: changed(piece.trim()), context: long(piece, 19_000) })],
];

describe.each(BODIES)("%s", (slug, body) => {
  it.each(PIECES)("answers soon, and something valid, to thousands of %j", async (piece) => {
    const { run } = await testedCapability(slug);
    expect(await cpuMs(() => run(body(piece), { models: offlineModels() }))).toBeLessThan(LIMIT_MS);
  });
});
