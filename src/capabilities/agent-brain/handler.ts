import { think } from "../../core/brain/think.ts";
import { defineHandler } from "../../core/catalog/define.ts";
import agentBrain from "./index.ts";

export default defineHandler(agentBrain, (input, context) =>
  think(input, context, { tier: "small", task: agentBrain.slug }),
);
