import { setImmediate as breathe } from "node:timers/promises";
import type { WakeBus } from "../calls/dispatch.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { Capability } from "./capability.ts";
import type { Catalog } from "./catalog.ts";
import { type ListingRow, listingCapability } from "./listing.ts";

export type ListingsOptions = {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly bus: WakeBus;
  /** The folders that hold handlers, by their names. */
  readonly rooms: ReadonlyMap<string, string>;
  /** How often a change is looked for that was not heard of. */
  readonly lookMs?: number;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
};

/** A listing as this process last read it; without a capability where its row makes none. */
type Known = { readonly revision: string; readonly capability: Capability | undefined };

/**
 * The second source of the catalog: rows that providers listed. A change is heard as a wake-up, and found at the latest
 * by a look now and then; each time only the rows that are others are read. While the database is away, or a row makes
 * no capability, what was last known stays.
 */
export class Listings {
  readonly #options: ListingsOptions;
  /** What the folders declare: a row never takes the place of one. */
  readonly #own: readonly Capability[];
  #known: ReadonlyMap<string, Known> = new Map();
  #refreshing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ListingsOptions) {
    this.#options = options;
    this.#own = [...options.catalog.snapshot.capabilities.values()];
  }

  /** Reads the rows, and from now on follows their changes. Throws where they cannot be read. */
  async start(): Promise<void> {
    const { bus, lookMs = LIMITS.catalogLookMs, onError } = this.#options;
    const refresh = (): void =>
      void this.refresh().catch((error: unknown) => onError(error, { at: "listings" }));
    await bus.subscribe((wakes) => {
      // None at all: the bus was away, and something may have been missed.
      if (wakes.length === 0 || wakes.some(({ kind }) => kind === "catalog")) refresh();
    });
    await this.refresh();
    this.#timer = setInterval(refresh, lookMs).unref();
  }

  /** Takes over what has changed up to now. */
  async refresh(): Promise<void> {
    // One that is under way may have read before the change that this one is asked for.
    this.#next ??= (async () => {
      await this.#refreshing?.catch(() => undefined);
      this.#refreshing = this.#next;
      this.#next = undefined;
      await this.#read();
    })();
    await this.#next;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#next?.catch(() => undefined);
    await this.#refreshing?.catch(() => undefined);
  }

  async #read(): Promise<void> {
    const { db, catalog } = this.#options;
    // The transaction that last wrote a row tells one state of it from every other.
    const revisions = await db.query<{ slug: string; revision: string }>(
      "select l.slug, l.xmin || '.' || k.xmin as revision from listings l join capabilities k using (slug)",
      [],
      { repeatable: true },
    );
    const before = this.#known;
    const changed = revisions.filter(({ slug, revision }) => before.get(slug)?.revision !== revision);
    if (changed.length === 0 && revisions.length === before.size) return;
    const read = await this.#readRows(changed.map(({ slug }) => slug));
    const known = new Map<string, Known>();
    for (const { slug } of revisions) {
      const one = read.get(slug) ?? before.get(slug);
      if (one !== undefined) known.set(slug, one);
    }
    const listed = [...known.values()].flatMap(({ capability }) => capability ?? []);
    catalog.replace([...this.#own, ...listed]);
    this.#known = known;
  }

  async #readRows(slugs: readonly string[]): Promise<ReadonlyMap<string, Known>> {
    const read = new Map<string, Known>();
    for (let at = 0; at < slugs.length; at += LIMITS.listingsAtOnce) {
      const rows = await this.#options.db.query<ListingRow>(
        `select l.*, l.xmin || '.' || k.xmin as revision, k.version, a.handle as provider
           from unnest($1::text[]) s(slug)
           cross join lateral (select x.*, x.xmin from listings x where x.slug = s.slug limit 1) l
           cross join lateral (select x.version, x.provider_id, x.xmin from capabilities x where x.slug = s.slug limit 1) k
           cross join lateral (select x.handle from accounts x where x.id = k.provider_id limit 1) a`,
        [slugs.slice(at, at + LIMITS.listingsAtOnce)],
        { repeatable: true },
      );
      let sinceMs = performance.now();
      for (const row of rows) {
        read.set(row.slug, { revision: row.revision, capability: this.#capabilityOf(row) });
        if (performance.now() - sinceMs < LIMITS.loopTurnMs) continue;
        await breathe();
        sinceMs = performance.now();
      }
    }
    return read;
  }

  #capabilityOf(row: ListingRow): Capability | undefined {
    const { rooms, onError } = this.#options;
    try {
      if (this.#own.some(({ slug }) => slug === row.slug)) throw new Error("a folder declares this slug");
      return listingCapability(row, rooms);
    } catch (error) {
      onError(error, { slug: row.slug });
      return undefined;
    }
  }
}
