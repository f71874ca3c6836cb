import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Has little time, in a pool that a test serves or not. */
export default defineCapability({
  slug: "test-brief",
  version: "1.0.0",
  name: "Test brief",
  category: "tooling",
  summary: "Works for a while and has little time for it, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(3) }],
  pool: "probe",
  timeoutMs: 400,
  deadlineMs: 1_200,
  profile: { deterministic: true, typicalMs: 10, maximumMs: 400, sideEffects: [] },
  input: z.object({
    ms: z.number().int().min(0).max(60_000).default(0),
    stubborn: z.boolean().default(false),
    /** Given back. */
    text: z.string().optional(),
  }),
  output: z.object({ ms: z.number(), text: z.string().optional() }),
});
