import { PgBoss } from "pg-boss";
import { CONNECTIONS, type Peer, SLOTS } from "./peer.ts";
import { awaitResults, createResults, KEEP_RESULTS, type Payload, resultsOf } from "./results.ts";

const QUEUE = "echo";

/** A batch is fetched as soon as a job is announced, and the next at once while they are full. */
export const pgBoss: Peer = {
  async work(url) {
    await createResults(url);
    const boss = await open(url, { useListenNotify: true });
    await boss.createQueue(QUEUE, { notify: true });
    await boss.work<Payload>(QUEUE, { batchSize: SLOTS, burstWhenBatchFull: true }, async (jobs) => {
      await boss.getDb().executeSql(KEEP_RESULTS, resultsOf(jobs.map(({ data }) => data)));
    });
  },
  async connect(url) {
    const boss = await open(url, { supervise: false });
    return await awaitResults(url, (payload) => boss.send(QUEUE, payload));
  },
};

async function open(
  url: string,
  options: { readonly useListenNotify?: boolean; readonly supervise?: boolean },
): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, max: CONNECTIONS, schedule: false, ...options });
  // What fails is missed by its caller, which counts it.
  boss.on("error", () => undefined);
  return await boss.start();
}
