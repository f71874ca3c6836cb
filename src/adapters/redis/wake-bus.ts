import { Redis } from "ioredis";
import { decodeWakes, type WakeBus } from "../../core/calls/dispatch.ts";
import { createWakeSender } from "../../core/calls/wake-sender.ts";

/** A wake-up that is this late has been made good by a look at the row. */
const COMMAND_TIMEOUT_MS = 2_000;

/** Wake-ups over Redis pub/sub: one channel, many wake-ups in a message. */
export function createRedisWakeBus(url: string, prefix: string, onError: (error: unknown) => void): WakeBus {
  const channel = `${prefix}:wakes`;
  const publisher = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS });
  const subscriber = new Redis(url, { maxRetriesPerRequest: null });
  publisher.on("error", onError);
  subscriber.on("error", onError);
  const sender = createWakeSender({
    send: (line) => publisher.publish(channel, line),
    maxWakes: 1_000,
    maxInFlight: 2,
    onError,
  });
  return {
    publish: sender.publish,
    subscribe: async (hear) => {
      subscriber.on("message", (_channel, line: string) => hear(decodeWakes(line)));
      await subscriber.subscribe(channel);
      subscriber.on("ready", () => hear([]));
    },
    close: async () => {
      await sender.flush();
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
