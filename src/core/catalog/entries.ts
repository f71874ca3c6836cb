import type { Db } from "../db.ts";
import type { Capability } from "./capability.ts";
import type { Catalog } from "./catalog.ts";
import type { JsonSchema } from "./contract.ts";
import type { Found } from "./snapshot.ts";
import type { Stats } from "./stats.ts";

const VECTORS_FOR_SHOP_GRADE = 3;
const RELIABLE_PCT = 95;

/** A capability as the catalog shows it. */
export type CatalogEntry = {
  readonly slug: string;
  readonly name: string;
  readonly kind: "tool";
  readonly category: string;
  readonly description: string;
  readonly price: number;
  readonly currency: "MESH";
  readonly calls: number;
  readonly calls_external: number;
  readonly reliability: number | null;
  readonly rating: null;
  readonly pay_on_proof: boolean;
  readonly reachable: Capability["reachable"];
  readonly reachable_at: string | null;
  readonly input_schema: JsonSchema;
  readonly shop_grade: boolean;
  readonly shop_grade_reasons: Readonly<Record<string, boolean>>;
  readonly provider: string;
};

export type CatalogFilter = {
  readonly category?: string | undefined;
  readonly kind?: string | undefined;
  /** Words that all occur in slug, name, description or category. */
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  readonly reachable?: string | undefined;
};

/** Makes the rows of the capabilities that folders declare, and brings their versions up to date. Run once at the start. */
export async function registerCapabilities(db: Db, catalog: Catalog): Promise<void> {
  const own = [...catalog.snapshot.capabilities.values()].filter(({ schemas }) => schemas === undefined);
  await db.query(
    `insert into capabilities (slug, version) select * from unnest($1::text[], $2::text[])
     on conflict (slug) do update set version = excluded.version where capabilities.version <> excluded.version`,
    [own.map(({ slug }) => slug), own.map(({ version }) => version)],
    { repeatable: true },
  );
}

/** What the catalog shows of a capability that the marketplace sells. */
export function entryOf({ capability, offer }: Found, stats: Stats): CatalogEntry {
  const reasons = shopGradeReasons(capability, stats.reliability);
  return {
    slug: capability.slug,
    name: capability.name,
    kind: "tool",
    category: capability.category,
    description: capability.summary,
    price: offer.price.amount,
    currency: "MESH",
    calls: stats.calls,
    calls_external: stats.callsExternal,
    reliability: stats.reliability,
    rating: null,
    pay_on_proof: false,
    reachable: capability.reachable,
    reachable_at: capability.reachableAt === null ? null : timeOf(capability.reachableAt),
    input_schema: capability.contract.input,
    shop_grade: Object.values(reasons).every(Boolean),
    shop_grade_reasons: reasons,
    provider: capability.provider,
  };
}

/** What a filter looks into, in small letters. */
export const wordsOf = ({ slug, name, summary, category }: Capability): string =>
  `${slug} ${name} ${summary} ${category}`.toLowerCase();

/** Says of a capability and its words whether it fits a filter. A value that nothing has fits nothing. */
export function filterOf({ category, kind, q, provider, reachable }: CatalogFilter) {
  const asked = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return (capability: Capability, words: string): boolean =>
    (category === undefined || capability.category === category) &&
    (kind === undefined || kind === "tool") &&
    (provider === undefined || capability.provider === provider) &&
    (reachable === undefined || capability.reachable === reachable) &&
    asked.every((word) => words.includes(word));
}

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
const timeOf = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ");

/** No vector has been replayed as long as no watchtower runs, and what only a replay can show is not claimed. */
function shopGradeReasons({ vectors }: Capability, reliability: number | null): Record<string, boolean> {
  return {
    machine_profile: true,
    vectors_declared: vectors.length >= VECTORS_FOR_SHOP_GRADE,
    vectors_passing: false,
    vectors_fresh: false,
    reliability: reliability !== null && reliability >= RELIABLE_PCT,
    sanitized: false,
    beats_control: false,
  };
}
