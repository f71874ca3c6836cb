import { isOutage } from "./errors.ts";
import { patiently, withoutPatience } from "./patience.ts";

/**
 * Gathers single items into lists for a function that takes a list. There is no timer: an item leaves at once while
 * fewer than `maxInFlight` lists are under way, and otherwise with the next one, so that load makes the lists and an
 * idle system waits for nothing. When a list of several fails, its items are tried one by one, so that one bad item
 * does not take the others with it; but not when what was asked is away, and would only be asked more often.
 *
 * `run` gives one result for each item, in the same order.
 */
export function batch<T, R>(options: {
  readonly run: (items: readonly T[]) => Promise<readonly R[]>;
  readonly maxItems: number;
  readonly maxInFlight: number;
}): (item: T) => Promise<R> {
  type Entry = { readonly item: T; readonly settle: PromiseWithResolvers<R> };
  const waiting: Entry[] = [];
  let inFlight = 0;
  let scheduled = false;

  async function deliver(entries: readonly Entry[]): Promise<void> {
    const results = await options.run(entries.map(({ item }) => item));
    if (results.length !== entries.length) throw new Error("A batch must give one result for each item.");
    entries.forEach(({ settle }, index) => settle.resolve(results[index] as R));
  }

  async function flush(entries: readonly Entry[]): Promise<void> {
    try {
      await deliver(entries);
    } catch (error) {
      if (entries.length === 1 || isOutage(error)) for (const { settle } of entries) settle.reject(error);
      else await Promise.all(entries.map((entry) => deliver([entry]).catch(entry.settle.reject)));
    }
  }

  function pump(): void {
    scheduled = false;
    while (waiting.length > 0 && inFlight < options.maxInFlight) {
      inFlight++;
      // A list is of several: how long one of them waits is no limit for the others.
      void withoutPatience(() => flush(waiting.splice(0, options.maxItems))).finally(() => {
        inFlight--;
        pump();
      });
    }
  }

  return (item) => {
    const settle = Promise.withResolvers<R>();
    waiting.push({ item, settle });
    if (!scheduled && inFlight < options.maxInFlight) {
      scheduled = true;
      setImmediate(pump);
    }
    return patiently(settle.promise);
  };
}
