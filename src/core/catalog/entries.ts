import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import type { Capability } from "./capability.ts";
import type { Catalog } from "./catalog.ts";
import type { JsonSchema } from "./contract.ts";
import type { Found } from "./snapshot.ts";

/** Below this many ended calls a percentage says nothing. */
const RELIABILITY_SAMPLE = { min: 5, max: 50 };
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
  readonly reachable_at: null;
  readonly input_schema: JsonSchema;
  readonly shop_grade: boolean;
  readonly shop_grade_reasons: Readonly<Record<string, boolean>>;
  readonly provider: string;
};

export type CatalogFilter = {
  readonly category?: string | undefined;
  readonly kind?: string | undefined;
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  readonly reachable?: string | undefined;
};

type Stats = {
  readonly slug: string;
  readonly calls: number;
  readonly calls_external: number;
  readonly reliability: number | null;
};

/** Makes the rows of the capabilities, and brings their versions up to date. Run once at the start. */
export async function registerCapabilities(db: Db, catalog: Catalog): Promise<void> {
  const capabilities = [...catalog.snapshot.capabilities.values()];
  await db.query(
    `insert into capabilities (slug, version) select * from unnest($1::text[], $2::text[])
     on conflict (slug) do update set version = excluded.version where capabilities.version <> excluded.version`,
    [capabilities.map(({ slug }) => slug), capabilities.map(({ version }) => version)],
    { repeatable: true },
  );
}

/** What the marketplace sells, by slug. A filter value that nothing has matches nothing. */
export async function listEntries(
  db: Db,
  catalog: Catalog,
  filter: CatalogFilter = {},
): Promise<CatalogEntry[]> {
  const sold = catalog.snapshot.sold("marketplace");
  const slugs = sold.map(({ capability }) => capability.slug);
  const stats = new Map((await readStats(db, slugs)).map((row) => [row.slug, row]));
  return sold
    .map((found) => toEntry(found, stats.get(found.capability.slug)))
    .filter((entry) => fits(entry, filter));
}

/** One entry of the catalog. Throws `unknown_capability`. */
export async function readEntry(db: Db, catalog: Catalog, slug: string): Promise<CatalogEntry> {
  const found = catalog.find("marketplace", slug);
  if (found === undefined)
    throw new AppError("unknown_capability", `There is no capability ${JSON.stringify(slug)}.`);
  const [stats] = await readStats(db, [found.capability.slug]);
  return toEntry(found, stats);
}

function fits(entry: CatalogEntry, { category, kind, q, provider, reachable }: CatalogFilter): boolean {
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${entry.slug} ${entry.name} ${entry.description} ${entry.category}`.toLowerCase();
  return (
    (category === undefined || entry.category === category) &&
    (kind === undefined || entry.kind === kind) &&
    (provider === undefined || entry.provider === provider) &&
    (reachable === undefined || entry.reachable === reachable) &&
    words.every((word) => text.includes(word))
  );
}

async function readStats(db: Db, slugs: readonly string[]): Promise<Stats[]> {
  return await db.query<Stats>(
    `select s.slug, coalesce(n.calls, 0) as calls, coalesce(n.calls_external, 0) as calls_external,
            case when r.sample >= $2 then round(100.0 * r.good / r.sample, 1) end as reliability
       from unnest($1::text[]) s(slug)
       left join lateral (
         select sum(c.calls) as calls, sum(c.calls_external) as calls_external
           from capability_counts c where c.slug = s.slug) n on true
       left join lateral (
         select count(*) as sample, count(*) filter (where e.state = 'succeeded') as good from (
           select c.state from calls c join capabilities k on k.slug = c.slug
            where c.slug = s.slug and c.state in ('succeeded', 'failed', 'expired') and not c.input_fault
              and c.account_id is distinct from k.provider_id
            order by c.ended_at desc limit $3) e) r on true`,
    [slugs, RELIABILITY_SAMPLE.min, RELIABILITY_SAMPLE.max],
  );
}

function toEntry({ capability, offer }: Found, stats: Stats | undefined): CatalogEntry {
  const reliability = stats?.reliability ?? null;
  const reasons = shopGradeReasons(capability.vectors.length, reliability);
  return {
    slug: capability.slug,
    name: capability.name,
    kind: "tool",
    category: capability.category,
    description: capability.summary,
    price: offer.price.amount,
    currency: "MESH",
    calls: stats?.calls ?? 0,
    calls_external: stats?.calls_external ?? 0,
    reliability,
    rating: null,
    pay_on_proof: false,
    reachable: capability.reachable,
    reachable_at: null,
    input_schema: capability.contract.input,
    shop_grade: Object.values(reasons).every(Boolean),
    shop_grade_reasons: reasons,
    provider: capability.provider,
  };
}

/** No vector has been replayed as long as no watchtower runs, and what only a replay can show is not claimed. */
function shopGradeReasons(vectors: number, reliability: number | null): Record<string, boolean> {
  return {
    machine_profile: true,
    vectors_declared: vectors >= VECTORS_FOR_SHOP_GRADE,
    vectors_passing: false,
    vectors_fresh: false,
    reliability: reliability !== null && reliability >= RELIABLE_PCT,
    sanitized: false,
    beats_control: false,
  };
}
