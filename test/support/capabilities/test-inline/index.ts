import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Ends as it is told, in the API process. */
export default defineCapability({
  slug: "test-inline",
  version: "1.0.0",
  name: "Test inline",
  category: "tooling",
  summary: "Ends as it is told to, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "inline",
  timeoutMs: 1_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 10, sideEffects: [] },
  input: z.object({
    mode: z
      .enum(["echo", "throw", "repeat", "fault", "garbled-fault", "hang", "slow-upstream"])
      .default("echo"),
    text: z.string().max(10_000).default(""),
  }),
  output: z.object({ text: z.string() }),
});
