import type { TestPlatform } from "./platform.ts";

/** Where rows are listed, and who is told of it. */
type Seller = {
  readonly database: Pick<TestPlatform["database"], "owner">;
  readonly runtime: { readonly bus: Pick<TestPlatform["runtime"]["bus"], "publish"> };
};

/** A listing as a test wants it; the rest is ordinary. */
export type TestListing = {
  readonly slug: string;
  readonly price?: number;
  readonly summary?: string;
  readonly category?: string;
  /** The room whose handler runs it. */
  readonly handler?: string;
  readonly input?: unknown;
  readonly output?: unknown;
};

/** Lists something for sale, or changes it, and tells all processes. */
export async function list(platform: Seller, providerId: string, listing: TestListing): Promise<void> {
  const {
    slug,
    price = 3,
    summary = "Listed by a test.",
    category = "tooling",
    handler = "test-work",
  } = listing;
  await platform.database.owner.query(
    `with c as (insert into capabilities (slug, version, provider_id) values ($1, '1.0.0', $2) on conflict do nothing)
     insert into listings (slug, name, category, summary, price, handler, input_schema, output_schema)
     values ($1, 'Listed', $3, $4, $5, $6, $7, $8)
     on conflict (slug) do update set price = excluded.price, summary = excluded.summary, delisted_at = null,
       input_schema = excluded.input_schema, output_schema = excluded.output_schema, handler = excluded.handler`,
    [
      slug,
      providerId,
      category,
      summary,
      price,
      handler,
      JSON.stringify(listing.input ?? { type: "object" }),
      listing.output === undefined ? null : JSON.stringify(listing.output),
    ],
  );
  platform.runtime.bus.publish([{ kind: "catalog", callId: slug }]);
}

/** Takes a listing away, and tells all processes. */
export async function delist(platform: Seller, slug: string): Promise<void> {
  await platform.database.owner.query("update listings set delisted_at = now() where slug = $1", [slug]);
  platform.runtime.bus.publish([{ kind: "catalog", callId: slug }]);
}
