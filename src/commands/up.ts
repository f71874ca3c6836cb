import { loadConfig } from "../config.ts";
import { startPlatform } from "./platform.ts";
import { stopInOrder } from "./until-stopped.ts";

/** What stopping the database may take after everything else has drained. */
const STOP_DATABASE_MS = 15_000;

/** Starts everything and serves until stopped. */
export async function up(): Promise<void> {
  const config = loadConfig();
  const platform = await startPlatform(config);
  stopInOrder(() => platform.stop(), config.drainMs + STOP_DATABASE_MS);
  console.log(
    `ready  marketplace ${config.baseUrl} (docs ${config.baseUrl}/docs)  tool API ${config.apiUrl}  operations ${config.opsUrl}  ` +
      `try: curl -sX POST ${config.baseUrl}/api/accounts`,
  );
}
