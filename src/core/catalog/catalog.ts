import type { Capability } from "./capability.ts";
import type { Surface } from "./offer.ts";
import { CatalogSnapshot, type Found } from "./snapshot.ts";

/**
 * What can be called, wherever it comes from. Every door, the settling and the workers read this and nothing else.
 * What is asked of one `snapshot` is all of one moment.
 */
export class Catalog {
  #snapshot: CatalogSnapshot;
  #version = 1;

  constructor(capabilities: readonly Capability[]) {
    this.#snapshot = new CatalogSnapshot(capabilities);
  }

  /** Another number whenever anything in it is another; only within this process. */
  get version(): number {
    return this.#version;
  }

  get snapshot(): CatalogSnapshot {
    return this.#snapshot;
  }

  /** What a surface sells under this name. */
  find(surface: Surface, name: string): Found | undefined {
    return this.#snapshot.find(surface, name);
  }

  /** The capability of a call, whose row names its slug; also one that no surface sells. */
  bySlug(slug: string): Capability | undefined {
    return this.#snapshot.capabilities.get(slug);
  }

  /** Puts these capabilities in the place of all. Throws, and changes nothing, where two have one name. */
  replace(capabilities: readonly Capability[]): void {
    this.#snapshot = new CatalogSnapshot(capabilities);
    this.#version += 1;
  }
}
