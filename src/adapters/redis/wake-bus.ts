import { Redis } from "ioredis";
import { batch } from "../../core/batch.ts";
import { decodeWakes, encodeWakes, type Wake, type WakeBus } from "../../core/calls/dispatch.ts";

const WAKES_AT_ONCE = 1_000;
/** A wake-up that is this late has been made good by a look at the row. */
const COMMAND_TIMEOUT_MS = 2_000;

/** Wake-ups over Redis pub/sub: one channel, many wake-ups in a message. */
export function createRedisWakeBus(url: string, prefix: string, onError: (error: unknown) => void): WakeBus {
  const channel = `${prefix}:wakes`;
  const publisher = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS });
  const subscriber = new Redis(url, { maxRetriesPerRequest: null });
  publisher.on("error", onError);
  subscriber.on("error", onError);
  const publish = batch<Wake, void>({
    maxItems: WAKES_AT_ONCE,
    maxInFlight: 2,
    run: async (wakes) => {
      await publisher.publish(channel, encodeWakes(wakes));
      return wakes.map(() => undefined);
    },
  });
  return {
    publish: async (wakes) => void (await Promise.all(wakes.map(publish))),
    subscribe: async (hear) => {
      subscriber.on("message", (_channel, line: string) => hear(decodeWakes(line)));
      await subscriber.subscribe(channel);
    },
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
      await Promise.resolve();
    },
  };
}
