import type { Capability } from "../../core/catalog/capability.ts";
import type { Catalog } from "../../core/catalog/catalog.ts";
import { type CatalogFilter, entryOf, filterOf, wordsOf } from "../../core/catalog/entries.ts";
import type { CatalogStats, Stats } from "../../core/catalog/stats.ts";
import { LIMITS } from "../../core/limits.ts";
import { type Rendered, rendered } from "../server/rendered.ts";

export type PageQuery = CatalogFilter & {
  /** The slug of the last entry seen. */
  readonly after?: string | undefined;
  readonly limit: number;
};

type Row = {
  readonly capability: Capability;
  readonly stats: Stats;
  readonly json: string;
  readonly words: string;
};

/**
 * The catalog as it is answered: each entry is rendered once for its capability and its counters, and what is asked for
 * again is given as it was until either changes.
 */
export class CatalogPages {
  readonly #catalog: Catalog;
  readonly #stats: CatalogStats;
  #rows: ReadonlyMap<string, Row> = new Map();
  #of = "";
  readonly #answers = new Map<string, Rendered>();
  #answerBytes = 0;

  constructor(catalog: Catalog, stats: CatalogStats) {
    this.#catalog = catalog;
    this.#stats = stats;
  }

  /** A page of what fits a filter, in the order of the slugs. */
  page(query: PageQuery): Rendered {
    this.#refresh();
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#render(query);
    this.#keep(key, answer);
    return answer;
  }

  /** One entry; undefined where there is none. */
  entry(slug: string): Rendered | undefined {
    this.#refresh();
    const row = this.#rows.get(slug);
    return row === undefined ? undefined : rendered(row.json);
  }

  #render({ after, limit, ...filter }: PageQuery): Rendered {
    const fits = filterOf(filter);
    const found: Row[] = [];
    for (const [slug, row] of this.#rows) {
      if ((after !== undefined && slug <= after) || !fits(row.capability, row.words)) continue;
      found.push(row);
      if (found.length > limit) break;
    }
    const shown = found.slice(0, limit);
    const next = found.length > limit ? (shown.at(-1)?.capability.slug ?? null) : null;
    return rendered(
      `{"count":${shown.length},"next_after":${JSON.stringify(next)},"capabilities":[${shown.map(({ json }) => json).join(",")}]}`,
    );
  }

  #keep(key: string, answer: Rendered): void {
    this.#answerBytes += answer.bytes.length;
    this.#answers.set(key, answer);
    for (const [oldest, { bytes }] of this.#answers) {
      if (this.#answerBytes <= LIMITS.catalogAnswerBytes) break;
      this.#answers.delete(oldest);
      this.#answerBytes -= bytes.length;
    }
  }

  #refresh(): void {
    const of = `${this.#catalog.version} ${this.#stats.version}`;
    if (of === this.#of) return;
    const rows = new Map<string, Row>();
    for (const found of this.#catalog.snapshot.sold("marketplace")) {
      const { capability } = found;
      const stats = this.#stats.of(capability.slug);
      const before = this.#rows.get(capability.slug);
      const same = before?.capability === capability && before.stats === stats;
      rows.set(
        capability.slug,
        same
          ? before
          : { capability, stats, json: JSON.stringify(entryOf(found, stats)), words: wordsOf(capability) },
      );
    }
    this.#rows = rows;
    this.#of = of;
    this.#answers.clear();
    this.#answerBytes = 0;
  }
}
