import type { Catalog } from "../../core/catalog/catalog.ts";
import { type CatalogFilter, entryOf, filterOf, wordsOf } from "../../core/catalog/entries.ts";
import type { Found } from "../../core/catalog/snapshot.ts";
import type { CatalogStats, Stats } from "../../core/catalog/stats.ts";
import { LIMITS } from "../../core/limits.ts";
import { type Rendered, rendered } from "../server/rendered.ts";

export type PageQuery = CatalogFilter & {
  /** The slug of the last entry seen. */
  readonly after?: string | undefined;
  readonly limit: number;
};

/** One entry with its counters, rendered when it is first shown. */
class Row {
  readonly found: Found;
  readonly stats: Stats;
  #json: string | undefined;
  #words: string | undefined;

  constructor(found: Found, stats: Stats) {
    this.found = found;
    this.stats = stats;
  }

  get json(): string {
    return (this.#json ??= JSON.stringify(entryOf(this.found, this.stats)));
  }

  get words(): string {
    return (this.#words ??= wordsOf(this.found.capability));
  }
}

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
      if ((after !== undefined && slug <= after) || !fits(row.found.capability, row.words)) continue;
      found.push(row);
      if (found.length > limit) break;
    }
    const shown = found.slice(0, limit);
    const next = found.length > limit ? (shown.at(-1)?.found.capability.slug ?? null) : null;
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
      const { slug } = found.capability;
      const stats = this.#stats.of(slug);
      const before = this.#rows.get(slug);
      const same = before?.found.capability === found.capability && before.stats === stats;
      rows.set(slug, same ? before : new Row(found, stats));
    }
    this.#rows = rows;
    this.#of = of;
    this.#answers.clear();
    this.#answerBytes = 0;
  }
}
