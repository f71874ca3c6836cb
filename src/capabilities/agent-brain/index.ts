import { brainInput, brainOutput } from "../../core/brain/contract.ts";
import { defineCapability, mesh } from "../../core/catalog/define.ts";

export default defineCapability({
  slug: "agent-brain",
  version: "1.0.0",
  name: "Agent brain",
  category: "cognition",
  summary:
    "Reasons about a question with what the account, or one of its characters, remembers, and remembers what it learned. A smaller model.",
  listings: { marketplace: { price: mesh(8) } },
  pool: "brain",
  model: "small",
  timeoutMs: 60_000,
  profile: { deterministic: false, typicalMs: 3000, maximumMs: 60_000, sideEffects: ["memory"] },
  input: brainInput,
  output: brainOutput,
});
