import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Misbehaves in a thread of the CPU pool. */
export default defineCapability({
  slug: "test-cpu",
  version: "1.0.0",
  name: "Test CPU",
  category: "tooling",
  summary: "Computes without end, or fills the memory, as it is told to, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(2) }],
  pool: "cam",
  profile: { deterministic: true, typicalMs: 1, maximumMs: 10_000, sideEffects: [] },
  input: z.object({
    mode: z.enum(["echo", "spin", "heap", "buffers", "exit", "repeat"]).default("echo"),
    text: z.string().default(""),
  }),
  output: z.object({ text: z.string() }),
});
