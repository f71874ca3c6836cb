import type { ModelsConfig, TierConfig } from "./config.ts";
import type { WakeBus } from "../../core/calls/dispatch.ts";
import type { Db } from "../../core/db.ts";
import { Circuits } from "../../core/models/circuits.ts";
import type { ModelClient } from "../../core/models/client.ts";
import { type GatewayTier, ModelGateway } from "../../core/models/gateway.ts";
import { ModelSlots } from "../../core/models/slots.ts";

export type OpenModelsOptions = {
  readonly config: ModelsConfig;
  readonly db: Db;
  readonly bus: WakeBus;
  readonly onError: (error: unknown) => void;
};

/** The gateway to the configured servers. */
export function openModels({ config: { tiers }, db, bus, onError }: OpenModelsOptions): ModelGateway {
  const { small, large, image } = tiers;
  const limits = { small: small.concurrency, large: large.concurrency, image: image.concurrency };
  return new ModelGateway({
    tiers: { small: tierOf(small), large: tierOf(large), image: tierOf(image) },
    slots: new ModelSlots({ db, bus, limits, onError }),
    circuits: new Circuits(db),
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
