import { defineCapability, mesh } from "../../core/catalog/define.ts";
import { input, output } from "../pos-rescue/contract.ts";

/** Gets a shop to sell again. */
export default defineCapability({
  slug: "pos-rescue-smart",
  version: "1.0.0",
  name: "POS rescue, smart",
  category: "commerce",
  summary: "POS rescue on a larger model tier.",
  listings: { marketplace: { price: mesh(15) } },
  pool: "brain-large",
  model: "large",
  profile: { deterministic: false, typicalMs: 8_000, maximumMs: 60_000, sideEffects: [] },
  input,
  output,
});
