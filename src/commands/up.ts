import { inheritedEnvironment, loadConfig } from "../config.ts";
import { startPlatform } from "./platform.ts";
import { stopInOrder } from "./stop-in-order.ts";

/** What stopping the database may take after everything else has drained. */
const STOP_DATABASE_MS = 15_000;

/** Starts everything and serves until stopped. */
export async function up(): Promise<void> {
  const env = inheritedEnvironment();
  const config = loadConfig(env);
  const platform = await startPlatform(config, env);
  stopInOrder(() => platform.stop(), config.drainMs + STOP_DATABASE_MS);
  console.log(
    `ready  marketplace ${config.baseUrl} (docs ${config.baseUrl}/docs)  tool API ${config.apiUrl}  operations ${config.opsUrl}  ` +
      `try: curl -sX POST ${config.baseUrl}/api/accounts`,
  );
}
