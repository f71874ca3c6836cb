import type { Capability } from "./capability.ts";
import type { Pool } from "./define.ts";
import { type Offer, SURFACES, type Surface } from "./offer.ts";

/** A capability as one surface sells it. */
export type Found = { readonly capability: Capability; readonly offer: Offer };

/** Everything that can be called at one moment. It never changes: what comes or goes makes another one. */
export class CatalogSnapshot {
  /** By slug, in the order of the slugs. */
  readonly capabilities: ReadonlyMap<string, Capability>;
  /** Those in which the calls of some capability are run. */
  readonly pools: ReadonlySet<Pool>;
  readonly #sold: Readonly<Record<Surface, ReadonlyMap<string, Found>>>;

  /** Throws one error that names every slug and every offered name that is there twice. */
  constructor(capabilities: readonly Capability[]) {
    const sorted = capabilities.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
    const faults: string[] = [];
    const bySlug = new Map<string, Capability>();
    for (const capability of sorted) {
      const other = bySlug.get(capability.slug);
      if (other !== undefined)
        faults.push(
          `${capability.slug}: two folders have this slug, ${other.folder} and ${capability.folder}`,
        );
      bySlug.set(capability.slug, capability);
    }
    const sold = Object.fromEntries(SURFACES.map((surface) => [surface, new Map<string, Found>()])) as Record<
      Surface,
      Map<string, Found>
    >;
    for (const capability of bySlug.values()) {
      for (const offer of capability.offers) {
        const names = sold[offer.surface];
        const other = names.get(offer.name);
        if (other !== undefined)
          faults.push(
            `${capability.slug}: ${other.capability.slug} is ${offer.name} on the ${offer.surface}`,
          );
        names.set(offer.name, { capability, offer });
      }
    }
    if (faults.length > 0) throw new Error(`These capabilities cannot be listed:\n  ${faults.join("\n  ")}`);
    this.capabilities = bySlug;
    this.pools = new Set(sorted.map(({ pool }) => pool));
    this.#sold = sold;
  }

  /** What a surface sells under this name. */
  find(surface: Surface, name: string): Found | undefined {
    return this.#sold[surface].get(name);
  }

  /** What a surface calls all that it sells. */
  names(surface: Surface): Iterable<string> {
    return this.#sold[surface].keys();
  }

  /** What a surface sells, in the order of the slugs. */
  sold(surface: Surface): readonly Found[] {
    return [...this.#sold[surface].values()];
  }
}
