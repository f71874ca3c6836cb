import type { ModelsConfig, TierConfig } from "../../config/models.ts";
import type { ModelClient } from "../../core/models/client.ts";
import { type GatewayTier, ModelGateway } from "../../core/models/gateway.ts";

/** The gateway to the configured servers. */
export function openModels({ tiers }: ModelsConfig): ModelGateway {
  return new ModelGateway({
    tiers: { small: tierOf(tiers.small), large: tierOf(tiers.large), image: tierOf(tiers.image) },
  });
}

function tierOf({ server, timeoutMs }: TierConfig): GatewayTier {
  if (server === null) return { client: null, timeoutMs };
  let loading: Promise<ModelClient> | undefined;
  // Loaded with the first question: most processes ask none.
  const load = async (): Promise<ModelClient> =>
    new (await import("./openai-client.ts")).OpenAiClient(server);
  return { client: () => (loading ??= load()), timeoutMs };
}
