import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Waits in a pool that a test serves or not, as long as the test takes. */
export default defineCapability({
  slug: "test-patient",
  version: "1.0.0",
  name: "Test patient",
  category: "tooling",
  summary: "Waits for a worker as long as it takes, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(3) }],
  pool: "probe",
  timeoutMs: 240_000,
  deadlineMs: 280_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 240_000, sideEffects: [] },
  input: z.object({ text: z.string().default("") }),
  output: z.object({ text: z.string() }),
});
