import { z } from "zod";
import type { ModelsConfig, ModelServer, TierConfig } from "../../adapters/models/config.ts";
import type { ModelTier } from "../../core/models/models.ts";
import { key, server, whole } from "./values.ts";

const HOSTED_URL = "https://api.openai.com/v1";
/** What is asked for where a server is named and no model: servers with a single model take any name. */
const ANY_MODEL = "default";
const MAX_CONCURRENCY = 10_000;
const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 600_000;

const name = z.string().max(200);

/** The settings of the models, each by its variable. */
export const modelSettings = {
  OPENAI_BASE_URL: server.optional(),
  OPENAI_API_KEY: key.optional(),
  OFFLINE_MODELS_URL: server.optional(),
  MODEL_SMALL: name.optional(),
  MODEL_SMALL_BASE_URL: server.optional(),
  MODEL_SMALL_API_KEY: key.optional(),
  MODEL_SMALL_CONCURRENCY: whole(16, MAX_CONCURRENCY, 1),
  MODEL_SMALL_TIMEOUT_MS: whole(45_000, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS),
  MODEL_LARGE: name.optional(),
  MODEL_LARGE_BASE_URL: server.optional(),
  MODEL_LARGE_API_KEY: key.optional(),
  MODEL_LARGE_CONCURRENCY: whole(4, MAX_CONCURRENCY, 1),
  MODEL_LARGE_TIMEOUT_MS: whole(55_000, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS),
  MODEL_IMAGE: name.optional(),
  MODEL_IMAGE_BASE_URL: server.optional(),
  MODEL_IMAGE_API_KEY: key.optional(),
  MODEL_IMAGE_CONCURRENCY: whole(2, MAX_CONCURRENCY, 1),
  MODEL_IMAGE_TIMEOUT_MS: whole(110_000, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS),
};
const environment = z.object(modelSettings);
type Environment = z.output<typeof environment>;

/** Which server serves which tier. Throws where a model is named and no server can be meant. */
export function modelsConfig(env: Environment): ModelsConfig {
  const tier = (tier: ModelTier): TierConfig => ({
    server: configuredServer(env, tier) ?? offlineServer(env, tier),
    concurrency: env[`${prefixOf(tier)}_CONCURRENCY`],
    timeoutMs: env[`${prefixOf(tier)}_TIMEOUT_MS`],
  });
  return { tiers: { small: tier("small"), large: tier("large"), image: tier("image") } };
}

type Prefix = "MODEL_SMALL" | "MODEL_LARGE" | "MODEL_IMAGE";

/** How the settings of a tier begin. */
const prefixOf = (tier: ModelTier): Prefix => `MODEL_${tier.toUpperCase() as Uppercase<ModelTier>}`;

function configuredServer(env: Environment, tier: ModelTier): ModelServer | null {
  const prefix = prefixOf(tier);
  const own = env[`${prefix}_BASE_URL`];
  const ownKey = env[`${prefix}_API_KEY`] ?? null;
  const model = modelName(env, tier);
  // The key of one server is never shown to another.
  if (own !== undefined) return { baseUrl: own, apiKey: ownKey, model: model ?? ANY_MODEL };
  const shared = env.OPENAI_BASE_URL;
  if (model === undefined && (shared === undefined || tier === "image")) return null;
  const apiKey = ownKey ?? env.OPENAI_API_KEY ?? null;
  if (shared !== undefined) return { baseUrl: shared, apiKey, model: model ?? ANY_MODEL };
  if (model !== undefined && apiKey !== null) return { baseUrl: HOSTED_URL, apiKey, model };
  if (env[prefix] === undefined) return null;
  throw new Error(
    `${prefix} names a model and nothing says whose: set ${prefix}_BASE_URL or OPENAI_BASE_URL, or OPENAI_API_KEY for ${HOSTED_URL}.`,
  );
}

/** The tier's own, else, for a text tier on the shared server, the other text tier's. */
function modelName(env: Environment, tier: ModelTier): string | undefined {
  const prefix = prefixOf(tier);
  if (env[prefix] !== undefined || tier === "image" || env[`${prefix}_BASE_URL`] !== undefined) {
    return env[prefix];
  }
  const other = prefixOf(tier === "small" ? "large" : "small");
  return env[`${other}_BASE_URL`] === undefined ? env[other] : undefined;
}

const offlineServer = (env: Environment, tier: ModelTier): ModelServer | null =>
  env.OFFLINE_MODELS_URL === undefined
    ? null
    : {
        baseUrl: `${env.OFFLINE_MODELS_URL.replace(/\/v1$/, "")}/v1`,
        apiKey: null,
        model: `meshforge-offline-${tier}`,
      };
