import { join, resolve } from "node:path";
import { tellReady } from "../platform/supervision/parent.ts";
import { MODEL_NAMES } from "../offline/names.ts";
import { startOfflineServer } from "../offline/server.ts";
import { stopInOrder } from "../platform/stop-in-order.ts";

export type OfflineModelsOptions = {
  readonly host: string;
  readonly port: number;
  /** A further folder of capabilities, besides the own one. */
  readonly capabilities?: string;
};

const OWN_CAPABILITIES = join(import.meta.dirname, "../features");
/** Requests that run when the stop comes may end. */
const STOP_LIMIT_MS = 5_000;

/**
 * Serves the offline models in this process. Its settings are arguments and not the environment: reading that takes
 * more memory than the server.
 */
export async function offlineModels({ host, port, capabilities }: OfflineModelsOptions): Promise<void> {
  const onStop = stopInOrder(STOP_LIMIT_MS);
  const server = await startOfflineServer({
    host,
    port,
    roots: [OWN_CAPABILITIES, ...(capabilities === undefined ? [] : [resolve(capabilities)])],
    log: (line) => console.error(`offline-models: ${line}`),
  });
  onStop(() => server.close());
  tellReady();
  // A supervisor says where they are in its own words.
  if (process.send === undefined)
    console.log(`offline models at ${server.url}/v1: ${MODEL_NAMES.join(", ")}`);
}
