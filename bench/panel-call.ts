/**
 * What a paid call of cam-forge costs above the panel itself: warm calls of the default panel by one caller over HTTP,
 * with the file in the answer and without it, beside making and proving the same panel in this process.
 *   node bench/panel-call.ts
 */
import { availableParallelism } from "node:os";
import { forge, prove } from "../src/features/cam-forge/forge.ts";
import { paramsSchema } from "../src/features/cam-forge/params.ts";
import { previewPng } from "../src/features/cam-forge/preview.ts";
import { headersOf, withPlatform } from "./harness.ts";

const WARM_UP = 40;
const RUNS = 60;
/** Of a call above making and proving its panel, ms. */
const TARGET_MS = 12;

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;

/** The median of a warm piece of work, ms. */
async function medianOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    const started = performance.now();
    await work();
    if (run >= WARM_UP) times.push(performance.now() - started);
  }
  return median(times);
}

const print = (what: string, ms: number, note = ""): void =>
  console.log(`  ${what.padEnd(44)} ${ms.toFixed(2).padStart(8)} ms  ${note}`.trimEnd());

const params = paramsSchema.parse({});
const panel = forge(params);

console.log(`Node ${process.version}, ${availableParallelism()} cores; medians of ${RUNS} warm runs`);
const geometry = await medianOf(() => prove(params, forge(params)));
print("forge and prove", geometry);
print("the picture, drawn and encoded", await medianOf(() => previewPng(params, panel.layout)));
print("base64 of the file", await medianOf(() => Buffer.from(panel.bytes).toString("base64")));

await withPlatform({}, async (platform, accounts) => {
  const url = `${platform.run().baseUrl}/api/call/cam-forge`;
  const [headers = {}] = headersOf(accounts);
  const call = async (body: object): Promise<void> => {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  };
  for (const inline of [true, false]) {
    const ms = await medianOf(() => call({ inline }));
    const above = ms - geometry;
    const verdict = above <= TARGET_MS ? "target met" : `TARGET NOT MET (${TARGET_MS})`;
    print(`a paid call, inline: ${inline}`, ms, `${above.toFixed(2)} ms above the geometry: ${verdict}`);
  }
});
