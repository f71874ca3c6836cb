import { inheritedEnvironment, loadConfig } from "../platform/config.ts";
import type { ModelTier } from "../core/models/models.ts";
import { freeStartMemory } from "../platform/free-memory.ts";
import { startPlatform } from "../platform/platform.ts";
import { stopInOrder } from "../platform/stop-in-order.ts";

/** What stopping the database may take after everything else has drained. */
const STOP_DATABASE_MS = 15_000;

/** Starts everything and serves until stopped. */
export async function up(): Promise<void> {
  const env = inheritedEnvironment();
  const config = loadConfig(env);
  const onStop = stopInOrder(config.drainMs + STOP_DATABASE_MS);
  const starting = startPlatform(config, env);
  // A start that failed has stopped what it had started.
  onStop(async () => (await starting.catch(() => undefined))?.stop());
  const { offlineTiers } = await starting;
  freeStartMemory();
  console.log(
    `ready  marketplace ${config.baseUrl} (docs ${config.baseUrl}/docs)  tool API ${config.apiUrl}  operations ${config.opsUrl}  ` +
      `${modelsNote(offlineTiers)}try: curl -sX POST ${config.baseUrl}/api/accounts`,
  );
}

/** Says which models are no language models, and how to have some; nothing where all tiers are configured. */
function modelsNote(offlineTiers: readonly ModelTier[]): string {
  if (offlineTiers.length === 0) return "";
  const settings = offlineTiers.includes("image") ? "OPENAI_BASE_URL, MODEL_IMAGE" : "OPENAI_BASE_URL";
  return `models: offline (meshforge-offline-${offlineTiers.join(", -")}); set ${settings} for real ones  `;
}
