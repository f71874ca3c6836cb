import { tellReady } from "../platform/supervision/parent.ts";
import { startApi } from "../platform/api.ts";
import { loadConfig } from "../platform/config.ts";
import { createRuntime } from "../platform/runtime.ts";
import { databaseUrlOf } from "./database-url.ts";
import { stopInOrder } from "../platform/stop-in-order.ts";

/** Serves the HTTP surfaces in this process. */
export async function api(): Promise<void> {
  const config = loadConfig();
  const onStop = stopInOrder(config.drainMs);
  const runtime = await createRuntime(config, await databaseUrlOf(config), "api");
  onStop(() => runtime.close());
  const running = await startApi(runtime);
  onStop(() => running.close());
  tellReady();
}
