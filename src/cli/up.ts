import { withFreePorts } from "../platform/free-port.ts";
import { inheritedEnvironment, loadConfig } from "../platform/config.ts";
import type { ModelTier } from "../core/models/models.ts";
import { freeStartMemory } from "../platform/free-memory.ts";
import { createLog } from "../platform/log.ts";
import { startPlatform, STOP_REST_MS } from "../platform/platform.ts";
import { live } from "../platform/process-life.ts";
import { addresses } from "./addresses.ts";

/** Starts everything and serves until stopped. */
export async function up(): Promise<void> {
  const env = await withFreePorts(inheritedEnvironment());
  const config = loadConfig(env);
  const log = createLog(config, "up");
  const limitMs = config.drainMs + STOP_REST_MS;
  const onFault = (error: unknown): void => log.error({ err: error }, "the supervisor");
  const onLate = (what: string): void => log.error(`the supervisor: ${what}`);
  await live({ limitMs, keepsOthers: true, onFault, onLate }, async (life) => {
    const starting = startPlatform(config, env, { ...life, log });
    // A start that failed has stopped what it had started.
    life.onStop(async () => (await starting.catch(() => undefined))?.stop());
    const { offlineTiers } = await starting;
    freeStartMemory();
    console.log(
      `ready  ${addresses(config)}  ${modelsNote(offlineTiers)}try: curl -sX POST ${config.baseUrl}/api/accounts`,
    );
  });
}

/** Says which models are no language models, and how to have some; nothing where all tiers are configured. */
function modelsNote(offlineTiers: readonly ModelTier[]): string {
  if (offlineTiers.length === 0) return "";
  const settings = offlineTiers.includes("image") ? "OPENAI_BASE_URL, MODEL_IMAGE" : "OPENAI_BASE_URL";
  return `models: offline (meshforge-offline-${offlineTiers.join(", -")}); set ${settings} for real ones  `;
}
