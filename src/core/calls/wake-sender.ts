import { batch } from "../batch.ts";
import { encodeWakes, type Wake } from "./dispatch.ts";

/** How long news of streams gather before they are told. */
const GATHER_MS = 10;

/**
 * Sends wake-ups in batches, behind the back of whoever publishes them: a wake-up saves time and decides nothing, so
 * nobody waits for one, and one that cannot be sent fails nobody.
 *
 * News of streams gather for a moment, each stream once. What somebody waits for, such as the end of a call, is sent at
 * once and takes them along; there it is the sending itself that gathers, as only few are under way at a time.
 */
export function createWakeSender(options: {
  readonly send: (line: string) => Promise<unknown>;
  readonly maxWakes: number;
  readonly maxInFlight: number;
  readonly onError: (error: unknown) => void;
}): { readonly publish: (wakes: readonly Wake[]) => void; readonly flush: () => Promise<void> } {
  const gathered = new Map<string, Wake>();
  const pending = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const sendOne = batch<Wake, void>({
    maxItems: options.maxWakes,
    maxInFlight: options.maxInFlight,
    run: async (wakes) => {
      await options.send(encodeWakes(wakes)).catch(options.onError);
      return wakes.map(() => undefined);
    },
  });

  function sendGathered(): void {
    clearTimeout(timer);
    timer = undefined;
    const wakes = [...gathered.values()];
    gathered.clear();
    const sent: Promise<void> = Promise.all(wakes.map(sendOne)).then(() => void pending.delete(sent));
    pending.add(sent);
  }

  return {
    publish: (wakes) => {
      for (const wake of wakes) gathered.set(`${wake.kind} ${wake.callId}`, wake);
      if (wakes.some(({ kind }) => kind !== "event")) sendGathered();
      else if (gathered.size > 0) timer ??= setTimeout(sendGathered, GATHER_MS);
    },
    flush: async () => {
      sendGathered();
      await Promise.all(pending);
    },
  };
}
