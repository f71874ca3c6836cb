import { batch } from "../batch.ts";
import { encodeWakes, type Wake } from "./dispatch.ts";

/**
 * Sends wake-ups in batches, behind the back of whoever publishes them: a wake-up saves time and decides nothing, so
 * nobody waits for one, and one that cannot be sent fails nobody.
 */
export function createWakeSender(options: {
  readonly send: (line: string) => Promise<unknown>;
  readonly maxWakes: number;
  readonly maxInFlight: number;
  readonly onError: (error: unknown) => void;
}): { readonly publish: (wakes: readonly Wake[]) => void; readonly flush: () => Promise<void> } {
  const pending = new Set<Promise<void>>();
  const sendOne = batch<Wake, void>({
    maxItems: options.maxWakes,
    maxInFlight: options.maxInFlight,
    run: async (wakes) => {
      await options.send(encodeWakes(wakes)).catch(options.onError);
      return wakes.map(() => undefined);
    },
  });
  return {
    publish: (wakes) => {
      const sent: Promise<void> = Promise.all(wakes.map(sendOne)).then(() => void pending.delete(sent));
      pending.add(sent);
    },
    flush: async () => void (await Promise.all(pending)),
  };
}
