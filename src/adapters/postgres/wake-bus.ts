import { batch } from "../../core/batch.ts";
import { decodeWakes, encodeWakes, type Wake, type WakeBus } from "../../core/calls/dispatch.ts";
import type { Db } from "../../core/db.ts";
import type { Listener } from "./listener.ts";

const CHANNEL = "meshforge_wakes";
/** PostgreSQL takes payloads below 8,000 bytes; a wake is some 40. */
const WAKES_PER_NOTIFY = 150;

/** Wake-ups over LISTEN/NOTIFY, many in one: it is the number of NOTIFYs that PostgreSQL cannot bear. */
export function createPostgresWakeBus(db: Db, listener: Listener): WakeBus {
  const publish = batch<Wake, void>({
    maxItems: WAKES_PER_NOTIFY,
    maxInFlight: 1,
    run: async (wakes) => {
      await db.query("select pg_notify($1, $2)", [CHANNEL, encodeWakes(wakes)]);
      return wakes.map(() => undefined);
    },
  });
  return {
    publish: async (wakes) => void (await Promise.all(wakes.map(publish))),
    subscribe: async (hear) => void (await listener.listen(CHANNEL, (payload) => hear(decodeWakes(payload)))),
    close: async () => undefined,
  };
}
