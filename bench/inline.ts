/**
 * What each inline capability costs: calls in a second over HTTP, settled and paid, at 64 callers, as a share of what
 * the empty one does right before it. Every capability is called with its first golden vector.
 *
 *   BENCH_SECONDS  how long each is measured in each round (3), after a warm-up
 *   BENCH_ONLY     slugs, separated by commas, of those that are measured
 */
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { loadFolders } from "../src/core/catalog/folders.ts";
import { type Account, headersOf, inProcess, MANY, withPlatform } from "./harness.ts";
import type { Measured } from "./load.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);
const WARM_UP_SECONDS = 1;
/** The compiler goes on improving the way that all calls take for some seconds. */
const FIRST_WARM_UP_SECONDS = 6;
const EMPTY = "test-inline";
/** The median of them counts: other users of the machine and the database's own upkeep come and go. */
const ROUNDS = 5;
/** Of the calls a second of the empty capability. */
const TARGET = 0.6;

const root = join(import.meta.dirname, "..");
const capabilities = await loadFolders([join(root, "src/features"), join(root, "test/support/capabilities")]);
const only = process.env["BENCH_ONLY"]?.split(",");
const slugs = capabilities
  .filter(({ pool, slug }) => pool === "inline" && slug !== EMPTY && (only?.includes(slug) ?? true))
  .map(({ slug }) => slug)
  .sort();

console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);
type Pair = { readonly measured: Measured; readonly ofEmpty: number };

await withPlatform({}, async (platform, accounts) => {
  const { baseUrl } = platform.run();
  const pairs = new Map<string, Pair[]>(slugs.map((slug) => [slug, []]));
  await measure(baseUrl, accounts, EMPTY, FIRST_WARM_UP_SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const slug of slugs) {
      const empty = await measure(baseUrl, accounts, EMPTY, WARM_UP_SECONDS);
      const measured = await measure(baseUrl, accounts, slug, WARM_UP_SECONDS);
      const [perSecond, ofSecond] = [measured.perSecond, empty.perSecond].map(Math.round);
      console.log(`round ${round}, ${slug}: ${perSecond} of ${ofSecond}/s`);
      pairs.get(slug)?.push({ measured, ofEmpty: measured.perSecond / empty.perSecond });
    }
  }
  printTable(pairs);
});

async function measure(
  baseUrl: string,
  accounts: readonly Account[],
  slug: string,
  warmUpSeconds: number,
): Promise<Measured> {
  return await inProcess("load.ts", {
    url: `${baseUrl}/api/call/${slug}`,
    method: "POST",
    callers: MANY,
    seconds: SECONDS,
    warmUpSeconds,
    headers: headersOf(accounts),
    body: JSON.stringify(capabilities.find((one) => one.slug === slug)?.vectors[0]?.input ?? {}),
  });
}

function printTable(pairs: ReadonlyMap<string, readonly Pair[]>): void {
  console.log(`\n${"".padEnd(26)}       1/s   p50 ms   p99 ms  of empty (lowest, highest)`);
  for (const [slug, rounds] of pairs) {
    const sorted = rounds.toSorted((a, b) => a.ofEmpty - b.ofEmpty);
    const { measured, ofEmpty } = sorted[sorted.length >> 1] as Pair;
    const [lowest, highest] = [sorted[0], sorted.at(-1)].map((pair) => pair?.ofEmpty.toFixed(2));
    const faults = rounds.reduce((sum, pair) => sum + pair.measured.faults, 0);
    const verdict = ofEmpty >= TARGET ? "target met" : `TARGET NOT MET (${TARGET})`;
    const cells = [
      slug.padEnd(26),
      String(Math.round(measured.perSecond)).padStart(8),
      measured.p50Ms.toFixed(1).padStart(7),
      measured.p99Ms.toFixed(1).padStart(7),
      `${ofEmpty.toFixed(3)} (${lowest}, ${highest})`.padStart(20),
      faults > 0 ? `${faults} WITHOUT SUCCESS` : verdict,
    ];
    console.log(cells.join("  "));
  }
}
