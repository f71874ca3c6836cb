import { brainInput, brainOutput } from "../../core/brain/contract.ts";
import { defineCapability, mesh } from "../../core/catalog/define.ts";

export default defineCapability({
  slug: "agent-brain-smart",
  version: "1.0.0",
  name: "Agent brain, smart",
  category: "cognition",
  summary: "The same loop of memory and reasoning as agent-brain, on a larger model.",
  listings: { marketplace: { price: mesh(20) } },
  pool: "brain-large",
  model: "large",
  timeoutMs: 60_000,
  profile: { deterministic: false, typicalMs: 8000, maximumMs: 60_000, sideEffects: ["memory"] },
  input: brainInput,
  output: brainOutput,
});
