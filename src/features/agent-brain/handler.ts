import { defineHandler } from "../../core/catalog/define.ts";
import { agentBrain } from "./index.ts";
import { think } from "./think.ts";

export default defineHandler(agentBrain, (input, context) =>
  think(input, context, {
    tier: context.capability.model === "large" ? "large" : "small",
    task: agentBrain.slug,
  }),
);
