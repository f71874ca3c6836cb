import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Has time for three attempts, each of which loses its worker. */
export default defineCapability({
  slug: "test-long",
  version: "1.0.0",
  name: "Test long",
  category: "tooling",
  summary:
    "May run longer than a worker's lease, so that it is run again when its worker dies, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(3) }],
  pool: "brain",
  timeoutMs: 240_000,
  deadlineMs: 280_000,
  profile: { deterministic: true, typicalMs: 1_000, maximumMs: 240_000, sideEffects: [] },
  input: z.object({
    ms: z.number().int().min(0).max(60_000).default(0),
    text: z.string().max(10_000).default(""),
  }),
  output: z.object({ text: z.string() }),
});
