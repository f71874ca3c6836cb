/**
 * `meshforge/capability`: what somebody else's capability is written with, outside the tree. Light, as a declaration has
 * to be. `z` is the library that reads the schemas here; those of another copy may differ.
 */
export * from "./core/catalog/define.ts";
export { contradiction, unknownThing } from "./core/errors.ts";
export { ask } from "./core/models/ask.ts";
export { defineOffline } from "./core/models/offline.ts";
export { loadPrompt } from "./core/models/prompt.ts";
export { fromNode } from "./core/runs/binding.ts";
export { defineRun } from "./core/runs/run-rules.ts";
export { defineJob } from "./core/schedule/job.ts";
export { defineStateTool } from "./core/state/state-tool.ts";
export { z } from "zod";
