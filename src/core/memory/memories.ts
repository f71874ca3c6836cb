import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { Memory, MemoryPort, MemoryScope } from "./memory.ts";
import { Rooms } from "./rooms.ts";
import type { SemanticServer } from "./semantic.ts";

export type MemoriesOptions = {
  readonly db: Db;
  /** Null where none is configured. */
  readonly semantic: SemanticServer | null;
  /** The semantic server did not answer, or not properly: the own store served. */
  readonly onFallback: (error: unknown) => void;
};

type Relevance = Parameters<MemoryPort["relevant"]>[1];

/** How many words of a question are looked for; the longest, which tell the most. */
const QUESTION_WORDS = 32;

/**
 * The memories in the database: the truth, also where a semantic server ranks. What that server names counts only as
 * far as it stands here in the same scope, so that it can neither invent a memory nor bring one of another scope.
 */
export class Memories implements MemoryPort {
  readonly #db: Db;
  readonly #rooms: Rooms;
  readonly #semantic: SemanticServer | null;
  readonly #onFallback: (error: unknown) => void;

  constructor({ db, semantic, onFallback }: MemoriesOptions) {
    this.#db = db;
    this.#rooms = new Rooms(db);
    this.#semantic = semantic;
    this.#onFallback = onFallback;
  }

  async find(
    { accountId, character }: MemoryScope,
    { terms, limit }: { readonly terms: readonly string[]; readonly limit: number },
  ): Promise<Memory[]> {
    return await this.#db.query<Memory>(
      `select id, content, created_at as created from memories
        where account_id = $1 and character = $2
          and (cardinality($3::text[]) = 0 or folded like any ((
                select array_agg('%' || regexp_replace(memory_fold(term), '[\\\\%_]', '\\\\\\&', 'g') || '%')
                  from unnest($3::text[]) term)::text[]))
        order by created_at desc, id desc limit $4`,
      [accountId, character, terms, limit],
    );
  }

  async relevant(scope: MemoryScope, query: Relevance): ReturnType<MemoryPort["relevant"]> {
    const [local, semantic] = await Promise.all([this.#ranked(scope, query), this.#byMeaning(scope, query)]);
    if (semantic === undefined || (semantic.length === 0 && local.length > 0)) {
      return { memories: local, engine: "local" };
    }
    // What the server was not told of yet is still remembered.
    const known = new Set(semantic.map(({ id }) => id));
    const memories = [...semantic, ...local.filter(({ id }) => !known.has(id))].slice(0, query.limit);
    return { memories, engine: "semantic" };
  }

  async unknown({ accountId, character }: MemoryScope, contents: readonly string[]): Promise<string[]> {
    const rows = await this.#db.query<{ content: string }>(
      `select content from unnest($3::text[]) with ordinality given(content, nth)
        where not exists (select from memories m
                           where m.account_id = $1 and m.character = $2 and m.folded = memory_fold(given.content))
        order by nth`,
      [accountId, character, contents],
    );
    return rows.map(({ content }) => content);
  }

  async room(accountId: string): Promise<number> {
    return await this.#rooms.of(accountId);
  }

  /**
   * Full-text relevance, of which age takes up to a half (half of that half every 30 days). Those that share no word
   * with the question come after all that do, the newest first.
   */
  async #ranked({ accountId, character }: MemoryScope, { question, limit }: Relevance): Promise<Memory[]> {
    return await this.#db.query<Memory>(
      `with question as materialized (
         select (select string_agg('''' || replace(replace(w.lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')
                   from (select lexeme from unnest(to_tsvector('english', $3))
                          order by length(lexeme) desc, lexeme limit ${QUESTION_WORDS}) w)::tsquery as words
       ), matching as (
         select m.id, m.content, m.created_at,
                ts_rank(m.words, q.words) * (0.5 + 0.5 * memory_decay(m.created_at, clock_now())) as score
           from memories m, question q
          where m.account_id = $1 and m.character = $2 and m.words @@ q.words
          order by score desc, m.created_at desc, m.id desc limit $4
       ), newest as (
         select m.id, m.content, m.created_at from memories m
          where m.account_id = $1 and m.character = $2
          order by m.created_at desc, m.id desc limit $4 * 2
       )
       select id, content, created_at as created
         from (select * from matching
               union all
               select n.*, 0 from newest n where n.id not in (select id from matching)) candidates
        order by score desc, created_at desc, id desc limit $4`,
      [accountId, character, question, limit],
    );
  }

  /** The memories of the scope that the semantic server names, in its order; undefined where it gave no answer. */
  async #byMeaning(scope: MemoryScope, { signal, ...query }: Relevance): Promise<Memory[] | undefined> {
    if (this.#semantic === null) return undefined;
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.semanticTimeoutMs)]);
      const ids = await this.#semantic.rank(scope, { ...query, signal: inTime });
      return await this.#own(scope, ids);
    } catch (error) {
      this.#onFallback(error);
      return undefined;
    }
  }

  /** Those of these ids that stand in this scope, in the order given, each once. */
  async #own({ accountId, character }: MemoryScope, ids: readonly string[]): Promise<Memory[]> {
    if (ids.length === 0) return [];
    return await this.#db.query<Memory>(
      `select m.id, m.content, m.created_at as created
         from (select id, min(nth) as nth from unnest($3::text[]) with ordinality named(id, nth) group by id) named
         cross join lateral (select k.* from memories k
                              where k.id = named.id and k.account_id = $1 and k.character = $2 limit 1) m
        order by named.nth`,
      [accountId, character, ids],
    );
  }
}
