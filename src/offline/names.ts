import { MODEL_TIERS, type ModelTier } from "../core/models/models.ts";

/** The models of this server. The names say what they are: no language model, and nothing remote. */
export const MODEL_NAMES: readonly string[] = MODEL_TIERS.map((tier) => `meshforge-offline-${tier}`);

/** The tier of a model's name; undefined for a model that is not here. */
export function tierOfModel(name: string): ModelTier | undefined {
  return MODEL_TIERS.find((tier) => name === `meshforge-offline-${tier}`);
}
