import { think } from "../../core/brain/think.ts";
import { defineHandler } from "../../core/catalog/define.ts";
import agentBrainSmart from "./index.ts";

export default defineHandler(agentBrainSmart, (input, context) =>
  think(input, context, { tier: "large", task: agentBrainSmart.slug }),
);
