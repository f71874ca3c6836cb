import { defineCapability, mesh } from "../../core/catalog/define.ts";
import { input, output } from "./contract.ts";

/** Gets a shop to sell again. */
export const posRescue = defineCapability({
  slug: "pos-rescue",
  version: "1.0.0",
  name: "POS rescue",
  category: "commerce",
  summary:
    "Says what is wrong with a point of sale, what to do about it now and what next, and, only where the contract explicitly leaves it open, how the owner takes cards directly in the meantime.",
  offers: [{ surface: "marketplace", price: mesh(5) }],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input,
  output,
});

export default [
  posRescue,
  defineCapability({
    ...posRescue,
    slug: "pos-rescue-smart",
    name: "POS rescue, smart",
    summary: "POS rescue on a larger model tier.",
    offers: [{ surface: "marketplace", price: mesh(15) }],
    pool: "brain-large",
    model: "large",
    profile: { ...posRescue.profile, typicalMs: 8_000 },
  }),
];
