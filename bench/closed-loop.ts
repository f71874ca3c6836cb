import type { Measured } from "./load.ts";

/** Callers of which each calls again as soon as its last call has ended. */
export type ClosedLoop = {
  readonly callers: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
};

const MS_IN_S = 1_000;

/** Measures a call that stands in this process; one that rejects is a fault. */
export async function runClosedLoop(
  { callers, seconds, warmUpSeconds }: ClosedLoop,
  call: (caller: number) => Promise<void>,
): Promise<Measured> {
  const run = async (forSeconds: number): Promise<{ latencies: number[]; faults: number }> => {
    const latencies: number[] = [];
    let faults = 0;
    const until = performance.now() + forSeconds * MS_IN_S;
    const callOnAndOn = async (caller: number): Promise<void> => {
      while (performance.now() < until) {
        const started = performance.now();
        try {
          await call(caller);
          latencies.push(performance.now() - started);
        } catch {
          faults++;
        }
      }
    };
    await Promise.all(Array.from({ length: callers }, (_, caller) => callOnAndOn(caller)));
    return { latencies: latencies.sort((a, b) => a - b), faults };
  };
  await run(warmUpSeconds);
  const { latencies, faults } = await run(seconds);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), faults };
}
