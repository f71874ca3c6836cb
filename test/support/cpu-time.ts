const MICROSECONDS_IN_MS = 1_000;

/**
 * What some work costs this thread, in milliseconds of the processor's time: unlike time on a clock it says little of what
 * else the machine does. The cheapest of `tries`, as a full cache or the compiler may make one dearer.
 */
export async function cpuMs(work: () => unknown, tries = 1): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries; nth++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / MICROSECONDS_IN_MS);
  }
  return least;
}
