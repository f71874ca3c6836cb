/**
 * What each inline capability costs: calls in a second over HTTP, settled and paid, at 64 callers, as a share of the
 * empty one in the same run. Every capability is called with its first golden vector.
 *
 *   BENCH_SECONDS  how long each is measured (4), after a warm-up
 *   BENCH_ONLY     slugs, separated by commas, of those that are measured
 */
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { type Listed, loadRegistry } from "../src/core/catalog/registry.ts";
import { type Account, headersOf, inProcess, MANY, withPlatform } from "./harness.ts";
import type { Measured } from "./load.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const WARM_UP_SECONDS = 3;
/** The compiler goes on improving the way that all calls take for some seconds. */
const FIRST_WARM_UP_SECONDS = 6;
const EMPTY = "test-inline";
/** How often the empty one is measured: before, between and after the others. */
const EMPTY_TIMES = 3;
/** Of the calls a second of the empty capability. */
const TARGET = 0.6;

type Result = { readonly slug: string; readonly measured: Measured };

const root = join(import.meta.dirname, "..");
const registry = await loadRegistry([
  join(root, "src/capabilities"),
  join(root, "test/support/capabilities"),
]);
const only = process.env["BENCH_ONLY"]?.split(",");
const inline = [...registry.values()].filter(
  ({ capability: { pool, slug } }) => pool === "inline" && slug !== EMPTY && (only?.includes(slug) ?? true),
);

console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);
await withPlatform({}, async (platform, accounts) => {
  const { baseUrl } = platform.run();
  const empties: Result[] = [];
  const results: Result[] = [];
  const share = Math.ceil(inline.length / (EMPTY_TIMES - 1));
  for (let part = 0; part < EMPTY_TIMES; part++) {
    empties.push(await measure(baseUrl, accounts, part === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS));
    for (const listed of inline.slice(part * share, (part + 1) * share)) {
      results.push(await measure(baseUrl, accounts, WARM_UP_SECONDS, listed));
    }
  }
  printTable(empties, results);
});

async function measure(
  baseUrl: string,
  accounts: readonly Account[],
  warmUpSeconds: number,
  listed: Listed | undefined = registry.get(EMPTY),
): Promise<Result> {
  const slug = listed?.capability.slug ?? EMPTY;
  const measured = await inProcess("load.ts", {
    url: `${baseUrl}/api/call/${slug}`,
    method: "POST",
    callers: MANY,
    seconds: SECONDS,
    warmUpSeconds,
    headers: headersOf(accounts),
    body: JSON.stringify(listed?.vectors[0]?.input ?? {}),
  });
  console.log(`${slug}: ${Math.round(measured.perSecond)}/s`);
  return { slug, measured };
}

/** The empty one counts with its best run: on a machine that others use as well, that is what it can do. */
function printTable(empties: readonly Result[], results: readonly Result[]): void {
  const best = Math.max(...empties.map(({ measured }) => measured.perSecond));
  console.log(`\n${"".padEnd(26)}       1/s   p50 ms   p99 ms  of empty`);
  for (const { slug, measured } of [...empties, ...results]) {
    const { perSecond, p50Ms, p99Ms, faults } = measured;
    const ratio = perSecond / best;
    const verdict = ratio >= TARGET ? "target met" : `TARGET NOT MET (${TARGET})`;
    const cells = [
      slug.padEnd(26),
      String(Math.round(perSecond)).padStart(8),
      p50Ms.toFixed(1).padStart(7),
      p99Ms.toFixed(1).padStart(7),
      ratio.toFixed(3).padStart(8),
      faults > 0 ? `${faults} WITHOUT SUCCESS` : verdict,
    ];
    console.log(cells.join("  "));
  }
}
