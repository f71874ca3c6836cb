import { z } from "zod";
import { LIMITS } from "../limits.ts";
import { mesh } from "../money.ts";
import type { Capability } from "./capability.ts";
import type { JsonSchema } from "./contract.ts";
import type { MachineProfile } from "./define.ts";
import { schemaContract } from "./schema-contract.ts";

/** A provider's listing as it stands in the database. */
export type ListingRow = {
  readonly slug: string;
  readonly revision: string;
  readonly version: string;
  readonly provider: string;
  readonly name: string;
  readonly category: string;
  readonly summary: string;
  readonly price: number;
  readonly handler: string;
  readonly timeout_ms: number;
  readonly input_schema: string;
  readonly output_schema: string | null;
  readonly profile: string | null;
  readonly vectors: string;
  readonly reachable_at: Date | null;
  readonly delisted_at: Date | null;
};

const profileOf = z.object({
  deterministic: z.boolean(),
  typicalMs: z.number(),
  maximumMs: z.number(),
  sideEffects: z.array(z.string()),
});
const vectorsOf = z.array(
  z.object({ input: z.record(z.string(), z.unknown()), expect: z.record(z.string(), z.unknown()) }),
);

/**
 * The capability that a listing is: run in the pool `forward` by the handler of the room that its row names, sold on the
 * marketplace under its slug as long as it is listed. Throws for a row that makes none.
 */
export function listingCapability(row: ListingRow, rooms: ReadonlyMap<string, string>): Capability {
  const folder = rooms.get(row.handler);
  if (folder === undefined) throw new Error(`there is no handler ${row.handler}`);
  const output = row.output_schema === null ? undefined : (JSON.parse(row.output_schema) as JsonSchema);
  const schemas = { input: JSON.parse(row.input_schema) as JsonSchema, ...(output && { output }) };
  return {
    slug: row.slug,
    version: row.version,
    name: row.name,
    category: row.category,
    summary: row.summary,
    provider: row.provider,
    reachable: row.reachable_at === null ? "unverified" : "live",
    reachableAt: row.reachable_at,
    pool: "forward",
    timeoutMs: row.timeout_ms,
    deadlineMs: LIMITS.deadlineMs,
    maxBodyBytes: LIMITS.bodyBytes,
    inlineBytes: 0,
    profile: row.profile === null ? UNDECLARED : profileOf.parse(JSON.parse(row.profile)),
    contract: schemaContract(schemas),
    schemas,
    offers:
      row.delisted_at === null
        ? [{ surface: "marketplace", name: row.slug, price: mesh(row.price), access: "paid" }]
        : [],
    vectors: vectorsOf.parse(JSON.parse(row.vectors)),
    folder,
  };
}

/** What is expected of a run of which nothing was said. */
const UNDECLARED: MachineProfile = {
  deterministic: false,
  typicalMs: 1_000,
  maximumMs: LIMITS.timeoutMs,
  sideEffects: [],
};
