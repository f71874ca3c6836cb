import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Leaves something behind, so that it can be counted how often it was done. */
export default defineCapability({
  slug: "test-note",
  version: "1.0.0",
  name: "Test note",
  category: "tooling",
  summary: "Keeps a note, and gives it back, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(2) }],
  pool: "brain",
  timeoutMs: 240_000,
  deadlineMs: 280_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 3_000, sideEffects: ["memory"] },
  input: z.object({
    text: z.string().min(1).max(1_000),
    ms: z.number().int().min(0).max(20_000).default(0),
    mode: z.enum(["note", "throw", "fault", "large"]).default("note"),
    /** Of the notes before it. */
    before: z.array(z.string()).default([]),
  }),
  output: z.object({ text: z.string(), before: z.array(z.string()), filling: z.string().optional() }),
});
