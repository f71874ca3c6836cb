import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Asks a model of the tier small. */
export default defineCapability({
  slug: "test-question",
  version: "1.0.0",
  name: "Test question",
  category: "tooling",
  summary: "Asks a model how many words a text has, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(2) }],
  pool: "brain",
  model: "small",
  timeoutMs: 240_000,
  deadlineMs: 280_000,
  profile: { deterministic: false, typicalMs: 10, maximumMs: 240_000, sideEffects: [] },
  input: z.object({ text: z.string().min(1) }),
  output: z.object({ words: z.number().int(), model: z.string() }),
});
