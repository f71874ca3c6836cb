/**
 * What a small call waits for beside large ones of somebody else: its latency alone, beside one caller who makes large
 * calls without a pause, and beside 200 of them, most of which are refused as overloaded. At most 250 ms may be added.
 *
 *   BENCH_SECONDS  how long each is measured (5)
 */
import { availableParallelism, cpus } from "node:os";
import { LARGE_CALLS } from "../test/support/large-calls.ts";
import { type Account, headersOf, inProcess, withPlatform } from "./harness.ts";
import type { Measured } from "./load.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
const WARM_UP_SECONDS = 2;
const CALLERS = [1, 200];
const MAY_ADD_MS = 250;
const SMALL = JSON.stringify({ text: "a" });

console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);
await withPlatform({}, async (platform, [small, ...others]) => {
  const { baseUrl } = platform.run();
  const measure = (
    slug: string,
    body: string,
    callers: number,
    payers: readonly Account[],
  ): Promise<Measured> =>
    inProcess("load.ts", {
      url: `${baseUrl}/api/call/${slug}`,
      method: "POST",
      callers,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
      headers: headersOf(payers),
      body,
    });
  if (small === undefined) throw new Error("there is no account");
  const alone = await measure("test-inline", SMALL, 1, [small]);
  console.log(`a small call alone: p50 ${alone.p50Ms} ms, p99 ${alone.p99Ms} ms`);
  for (const { what, slug, body } of LARGE_CALLS) {
    const text = body();
    for (const callers of CALLERS) {
      const [beside, large] = await Promise.all([
        measure("test-inline", SMALL, 1, [small]),
        measure(slug, text, callers, others),
      ]);
      const addedMs = beside.p99Ms - alone.p99Ms;
      const isMet = beside.perSecond > 0 && beside.faults === 0 && addedMs <= MAY_ADD_MS;
      const verdict = isMet
        ? "met"
        : `NOT MET (${MAY_ADD_MS}; ${beside.perSecond.toFixed(1)}/s of the small)`;
      console.log(
        `beside ${callers} x ${what}: p50 ${beside.p50Ms} ms, p99 ${beside.p99Ms} ms, ${addedMs} ms more: ${verdict}; ${large.perSecond.toFixed(1)}/s of the large, ${large.faults} not done`,
      );
    }
  }
});
