import { z } from "zod";
import { defineCapability, mesh } from "../../../../src/core/catalog/define.ts";

const node = z.object({
  name: z.string(),
  slug: z.string().default("test-note"),
  needs: z.array(z.string()).default([]),
  mode: z.string().default("note"),
  ms: z.number().default(0),
  onFailure: z.enum(["end", "skip"]).default("end"),
  /** The input of a node that is no note. */
  input: z.record(z.string(), z.unknown()).optional(),
});

/** A run of whatever nodes a test asks for. */
export default defineCapability({
  slug: "test-run",
  version: "1.0.0",
  name: "Test run",
  category: "tooling",
  summary: "Runs a graph of notes, for the tests.",
  offers: [{ surface: "marketplace", price: mesh(5) }],
  pool: "run",
  deadlineMs: 280_000,
  profile: { deterministic: true, typicalMs: 10, maximumMs: 280_000, sideEffects: ["memory"] },
  input: z.object({
    /** Unique among all runs: the notes begin with it. */
    text: z.string().default("run"),
    nodes: z.array(node).default([]),
    /** So many nodes more, each added when the one before has ended. */
    grow: z.number().int().min(0).max(70).default(0),
    /** Names of nodes that are taken back as soon as any other has ended. */
    race: z.array(z.string()).default([]),
    mistake: z.enum(["none", "throw", "stuck", "stranger", "garbled", "restless"]).default("none"),
  }),
  output: z.object({
    text: z.string(),
    states: z.record(z.string(), z.string()),
    notes: z.array(z.string()),
    grown: z.number(),
    beganWith: z.number(),
  }),
});
