import { decodeWakes, type WakeBus } from "../../core/calls/dispatch.ts";
import { createWakeSender } from "../../core/calls/wake-sender.ts";
import type { Db } from "../../core/db.ts";
import type { Listener } from "./listener.ts";

const CHANNEL = "meshforge_wakes";
/** PostgreSQL takes payloads below 8,000 bytes; a wake-up is some 40. */
const WAKES_PER_NOTIFY = 150;

/** Wake-ups over LISTEN/NOTIFY, many in one: it is the number of NOTIFYs that PostgreSQL cannot bear. */
export function createPostgresWakeBus(
  db: Db,
  listener: Listener,
  onError: (error: unknown) => void,
): WakeBus {
  const sender = createWakeSender({
    send: (line) => db.query("select pg_notify($1, $2)", [CHANNEL, line]),
    maxWakes: WAKES_PER_NOTIFY,
    maxInFlight: 1,
    onError,
  });
  return {
    publish: sender.publish,
    subscribe: async (hear) => void (await listener.listen(CHANNEL, (payload) => hear(decodeWakes(payload)))),
    close: sender.flush,
  };
}
