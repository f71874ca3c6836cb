import { Queue, QueueEvents, Worker } from "bullmq";
import { CALL_LIMIT_MS, type Peer, SLOTS } from "./peer.ts";

const QUEUE = "echo";
/** A job must still be there when its caller begins to wait for it. */
const KEPT_JOBS = 1_000;

type Data = { readonly text: string };

/** The callers of a process share one stream of events. */
export const bullmq: Peer = {
  async work(url) {
    const worker = new Worker<Data, string>(QUEUE, async ({ data }) => data.text, {
      connection: { url, maxRetriesPerRequest: null },
      concurrency: SLOTS,
      removeOnComplete: { count: KEPT_JOBS },
    });
    await worker.waitUntilReady();
  },
  async connect(url) {
    const queue = new Queue<Data, string>(QUEUE, { connection: { url } });
    const events = new QueueEvents(QUEUE, { connection: { url, maxRetriesPerRequest: null } });
    // Each waiting caller listens on both.
    queue.setMaxListeners(0);
    events.setMaxListeners(0);
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
    return async (text) => {
      const job = await queue.add("echo", { text });
      return await job.waitUntilFinished(events, CALL_LIMIT_MS);
    };
  },
};
