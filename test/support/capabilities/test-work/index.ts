import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

/** Ends as it is told, in a worker process. */
export default defineCapability({
  slug: "test-work",
  version: "1.0.0",
  name: "Test work",
  category: "tooling",
  summary: "Works for a while and ends as it is told to, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(2) }],
  pool: "brain",
  timeoutMs: 240_000,
  deadlineMs: 280_000,
  profile: { deterministic: true, typicalMs: 10, maximumMs: 240_000, sideEffects: [] },
  input: z.object({
    mode: z
      .enum([
        "echo",
        "sleep",
        "stubborn",
        "throw",
        "repeat",
        "fault",
        "garbled-fault",
        "slow-upstream",
        "wrong-output",
        "large",
        "steps",
        "hold",
        "step-and-hold",
      ])
      .default("echo"),
    ms: z.number().int().min(0).max(60_000).default(0),
    text: z.string().max(10_000).default(""),
  }),
  output: z.object({ text: z.string() }),
});
