import { Logger, makeWorkerUtils, run, type Task } from "graphile-worker";
import { CONNECTIONS, type Peer, SLOTS } from "./peer.ts";
import { awaitResults, createResults, KEEP_RESULTS, type Payload, resultsOf } from "./results.ts";

const TASK = "echo";
const logger = new Logger(() => () => undefined);

const echo: Task = async (payload, helpers) => {
  await helpers.query(KEEP_RESULTS, resultsOf([payload as Payload]));
};

/** Jobs are fetched and completed in batches. */
export const graphileWorker: Peer = {
  async work(url) {
    await createResults(url);
    await run({
      connectionString: url,
      taskList: { [TASK]: echo },
      preset: {
        worker: {
          concurrentJobs: SLOTS,
          maxPoolSize: CONNECTIONS,
          localQueue: { size: SLOTS },
          completeJobBatchDelay: 0,
          logger,
        },
      },
    });
  },
  async connect(url) {
    const utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: CONNECTIONS, logger });
    return await awaitResults(url, (payload) => utils.addJob(TASK, payload));
  },
};
