import { defineCapability, mesh } from "../../core/catalog/define.ts";
import { brainInput, brainOutput } from "./contract.ts";

export const agentBrain = defineCapability({
  slug: "agent-brain",
  version: "1.0.0",
  name: "Agent brain",
  category: "cognition",
  summary:
    "Reasons about a question with what the account, or one of its characters, remembers, and remembers what it learned. A smaller model.",
  offers: [{ surface: "marketplace", price: mesh(8) }],
  pool: "brain",
  model: "small",
  timeoutMs: 60_000,
  profile: { deterministic: false, typicalMs: 3000, maximumMs: 60_000, sideEffects: ["memory"] },
  input: brainInput,
  output: brainOutput,
});

export default [
  agentBrain,
  defineCapability({
    ...agentBrain,
    slug: "agent-brain-smart",
    name: "Agent brain, smart",
    summary: "The same loop of memory and reasoning as agent-brain, on a larger model.",
    offers: [{ surface: "marketplace", price: mesh(20) }],
    pool: "brain-large",
    model: "large",
    profile: { ...agentBrain.profile, typicalMs: 8000 },
  }),
];
