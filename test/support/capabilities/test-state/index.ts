import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

const purse = z.string();

/** Changes what all share, as it is told to. */
export default defineCapability({
  slug: "test-state",
  version: "1.0.0",
  name: "Test state",
  category: "tooling",
  summary: "Moves coins between two purses, or does something else with them, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "state",
  timeoutMs: 1_000,
  profile: { deterministic: false, typicalMs: 1, maximumMs: 10, sideEffects: ["document"] },
  input: z.object({
    /** `add`, `move` and `look` are what a tool does; the others go wrong in all ways in which one can. */
    mode: z
      .enum(["add", "move", "look", "take", "open", "close", "throw", "fault", "garbled", "large", "roll"])
      .default("add"),
    purse,
    to: purse.optional(),
    coins: z.number().int().min(0).max(1_000).default(1),
    /** Given back with what was added or moved. */
    text: z.string().optional(),
  }),
  output: z.object({
    coins: z.number(),
    changes: z.number(),
    roll: z.number().optional(),
    text: z.string().optional(),
  }),
});
