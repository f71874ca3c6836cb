import type { Db } from "../db.ts";

const FRESH_MS = 1_000;

/** Which capabilities are quarantined, as of a second ago. The settling transaction checks again. */
export class Availability {
  readonly #db: Db;
  #inactive = new Set<string>();
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async isActive(slug: string): Promise<boolean> {
    if (performance.now() - this.#readAt > FRESH_MS) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return !this.#inactive.has(slug);
  }

  async #read(): Promise<void> {
    const rows = await this.#db.query<{ slug: string }>("select slug from capabilities where not active");
    this.#inactive = new Set(rows.map(({ slug }) => slug));
    this.#readAt = performance.now();
  }
}
