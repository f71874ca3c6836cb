import type { Measured } from "./load.ts";

/** What was measured, and the share of the yardstick that it has to reach. */
export type Result = {
  readonly what: string;
  readonly callers: number;
  readonly measured: Measured;
  readonly target?: number;
};

type Yardstick = Pick<Result, "what" | "callers">;

const NAME_CHARS = 46;

/** Prints all results as they came, and each as a share of the best of the yardstick's. */
export function printTable(results: readonly Result[], yardstick: Yardstick): void {
  const whole = best(results, yardstick);
  console.log(`\n${"".padEnd(NAME_CHARS)}  callers     1/s   p50 ms   p99 ms  of bare`);
  for (const { what, callers, measured, target } of results) {
    const share = measured.perSecond / whole;
    const verdict =
      target === undefined ? "" : `${share >= target ? "target met" : "TARGET NOT MET"} (${target})`;
    const cells = [
      what.padEnd(NAME_CHARS),
      String(callers).padStart(7),
      String(Math.round(measured.perSecond)).padStart(8),
      showMs(measured.p50Ms),
      showMs(measured.p99Ms),
      share.toFixed(4).padStart(8),
    ];
    console.log(`${cells.join("  ")}  ${verdict}`.trimEnd());
  }
}

/** Prints how many of our calls go into the time of one of each peer's, where both were measured. */
export function printRatios(results: readonly Result[], ours: string, peers: readonly string[]): void {
  const measured = results.filter(({ what }) => peers.includes(what));
  if (measured.length > 0) console.log("");
  for (const { what, callers } of measured) {
    const ratio = best(results, { what: ours, callers }) / best(results, { what, callers });
    console.log(
      `${`${ours} / ${what}`.padEnd(NAME_CHARS)}  ${String(callers).padStart(7)}  ${ratio.toFixed(2).padStart(8)}`,
    );
  }
}

function best(results: readonly Result[], { what, callers }: Yardstick): number {
  return Math.max(
    ...results
      .filter((result) => result.what === what && result.callers === callers)
      .map(({ measured }) => measured.perSecond),
  );
}

const showMs = (ms: number): string => (Number.isNaN(ms) ? "" : ms.toFixed(1)).padStart(7);
