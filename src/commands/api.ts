import { tellReady } from "../../workers/parent.ts";
import { startApi } from "../api.ts";
import { loadConfig } from "../config.ts";
import { createRuntime } from "../runtime.ts";
import { databaseUrlOf } from "./database-url.ts";
import { stopInOrder } from "./stop-in-order.ts";

/** Serves the HTTP surfaces in this process. */
export async function api(): Promise<void> {
  const config = loadConfig();
  const runtime = await createRuntime(config, await databaseUrlOf(config), "api");
  const running = await startApi(runtime);
  stopInOrder(async () => {
    await running.close();
    await runtime.close();
  }, config.drainMs);
  tellReady();
}
