import { Redis } from "ioredis";
import { decodeWakes, type Wake, type WakeBus } from "../../core/calls/dispatch.ts";
import { createWakeSender } from "../../core/calls/wake-sender.ts";
import type { RedisPresence } from "./presence.ts";

/** A wake-up that is this late has been made good by a look at the row. */
const COMMAND_TIMEOUT_MS = 2_000;

type Connections = {
  readonly publisher: Redis;
  readonly subscriber: Redis;
  readonly subscribed: Promise<unknown>;
};

/**
 * Wake-ups over Redis pub/sub: one channel, many wake-ups in a message. While Redis is away none are sent and none come.
 */
export function createRedisWakeBus(options: {
  readonly url: string;
  readonly prefix: string;
  readonly presence: RedisPresence;
}): WakeBus {
  const { url, prefix, presence } = options;
  const channel = `${prefix}:wakes`;
  const hearers = new Set<(wakes: readonly Wake[]) => void>();
  let open: Connections | undefined;

  function tell(wakes: readonly Wake[]): void {
    for (const hear of hearers) hear(wakes);
  }

  function connect(): Connections {
    const publisher = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS });
    const subscriber = new Redis(url, { maxRetriesPerRequest: null });
    publisher.on("error", presence.suspect);
    subscriber.on("error", presence.suspect);
    subscriber.on("message", (_channel, line: string) => tell(decodeWakes(line)));
    const subscribed = subscriber.subscribe(channel).then(() => {
      tell([]);
      subscriber.on("ready", () => tell([]));
    }, presence.suspect);
    return { publisher, subscriber, subscribed };
  }

  function disconnect(): void {
    open?.publisher.disconnect();
    open?.subscriber.disconnect();
    open = undefined;
  }

  const leave = presence.follow({
    onHere: () => {
      open = connect();
    },
    onAway: disconnect,
  });
  const sender = createWakeSender({
    send: async (line) => await open?.publisher.publish(channel, line),
    maxWakes: 1_000,
    maxInFlight: 2,
    onError: presence.suspect,
  });
  return {
    publish: sender.publish,
    subscribe: async (hear) => {
      hearers.add(hear);
      await open?.subscribed;
    },
    close: async () => {
      await sender.flush();
      leave();
      disconnect();
    },
  };
}
