import { isSupervised, tellReady } from "../platform/supervision/parent.ts";
import { startApi } from "../platform/api.ts";
import { inheritedEnvironment, loadConfig } from "../platform/config.ts";
import { withFreePorts } from "../platform/free-port.ts";
import { createLog } from "../platform/log.ts";
import { createRuntime } from "../platform/runtime.ts";
import { live } from "../platform/process-life.ts";
import { addresses } from "./addresses.ts";
import { databaseUrlOf } from "./database-url.ts";

/** Serves the HTTP surfaces in this process. */
export async function api(): Promise<void> {
  const config = loadConfig(await withFreePorts(inheritedEnvironment()));
  const log = createLog(config, "api");
  const onFault = (error: unknown): void => log.error({ err: error }, "the process");
  const onLate = (what: string): void => log.error(`the process: ${what}`);
  await live({ limitMs: config.drainMs, onFault, onLate }, async ({ onStop }) => {
    const runtime = await createRuntime(config, await databaseUrlOf(config), "api");
    onStop(() => runtime.close());
    const running = await startApi(runtime);
    onStop(() => running.close());
    tellReady();
    // A supervisor says where they are in its own words.
    if (!isSupervised()) console.log(`ready  ${addresses(config)}`);
  });
}
