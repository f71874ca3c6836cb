import { join, resolve } from "node:path";
import { isSupervised, tellReady } from "../platform/supervision/parent.ts";
import { MODEL_NAMES } from "../offline/names.ts";
import { startOfflineServer } from "../offline/server.ts";
import { listeningFault } from "../platform/listening.ts";
import { live } from "../platform/process-life.ts";

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
  // Its supervisor stops it after those that ask it, whoever else sends a signal to them all.
  const signals = isSupervised() ? { signals: [] } : {};
  await live(
    { limitMs: STOP_LIMIT_MS, ...signals, onFault: (error) => logError(error), onLate },
    async ({ onStop }) => {
      const server = await startOfflineServer({
        host,
        port,
        roots: [OWN_CAPABILITIES, ...(capabilities === undefined ? [] : [resolve(capabilities)])],
        onError: (error) => void logError(error),
      }).catch((error: unknown) => {
        throw listeningFault({ port, host, portSetting: "--port", hostSetting: "--host" }, error);
      });
      onStop(() => server.close());
      tellReady();
      if (!isSupervised()) console.log(`offline models at ${server.url}/v1: ${MODEL_NAMES.join(", ")}`);
    },
  );
}

const onLate = (what: string): Promise<void> => logError(undefined, `offline models: ${what}`);

/** Loaded with the first error: a server without any does without the logger's memory. */
async function logError(error: unknown, message = "offline models"): Promise<void> {
  const { createLog } = await import("../platform/log.ts");
  createLog({ logLevel: "warn" }, "offline-models").error({ err: error }, message);
}
