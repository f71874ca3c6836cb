import type { Db } from "../db.ts";
import { balanceId, documentId, type Snapshot, type StateOperation, type StoredDocument } from "./chain.ts";
import type { DocumentRef } from "./state-tool.ts";

/** What is known of a call before it is decided. */
type Fact = {
  /** It was settled already: the answer of an earlier attempt was lost. */
  readonly done: boolean;
  /** The call that came with its Idempotency-Key before, and whether with the same request. */
  readonly firstCall: string | null;
  readonly same: boolean;
};

/** What a list of operations is decided on. */
export type Ground = Snapshot & { readonly facts: ReadonlyMap<string, Fact> };

type Row = {
  now: Date;
  documents: readonly [nth: number, accountId: string, version: number, text: string | null][] | null;
  facts: readonly [
    nth: number,
    amount: number | null,
    done: boolean,
    firstCall: string | null,
    same: boolean | null,
  ][];
};

/** The distinct documents of these operations, in the order in which they first stand. */
export function documentsOf(operations: readonly StateOperation[]): DocumentRef[] {
  const refs = operations.flatMap((operation) => Object.values(operation.refs));
  return [...new Map(refs.map((ref) => [documentId(ref), ref])).values()];
}

/** Reads, in one statement and so in one snapshot, all that the operations are decided on. */
export async function readGround(
  db: Pick<Db, "query">,
  operations: readonly StateOperation[],
): Promise<Ground> {
  const refs = documentsOf(operations);
  const settlements = operations.map(({ settlement }) => settlement);
  const [row] = await db.query<Row>(
    `select clock_now() as now,
            (select json_agg(json_build_array(w.nth, d.account_id, d.version, d.body))
               from unnest($1::text[], $2::text[]) with ordinality w(kind, key, nth)
               cross join lateral (select x.account_id, x.version, x.body from documents x
                                    where x.kind = w.kind and x.key = w.key limit 1) d) as documents,
            (select json_agg(json_build_array(o.nth, b.amount, done.id is not null, idem.call_id, idem.same))
               from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
                    with ordinality o(id, account_id, currency, idempotency_key, request_sha256, nth)
               left join lateral (select x.amount from balances x
                                   where x.account_id = o.account_id and x.currency = o.currency limit 1) b on true
               left join lateral (select x.id from calls x where x.id = o.id limit 1) done on true
               left join lateral (select x.call_id, x.request_sha256 = decode(o.request_sha256, 'hex') as same
                                    from idempotency_keys x
                                   where x.account_id = o.account_id and x.key = o.idempotency_key
                                     and x.created_at > clock_now() - interval '24 hours' limit 1) idem on true
            ) as facts`,
    [
      refs.map(({ kind }) => kind),
      refs.map(({ key }) => key),
      settlements.map(({ id }) => id),
      settlements.map(({ account_id }) => account_id),
      settlements.map(({ currency }) => currency),
      settlements.map(({ idempotency_key }) => idempotency_key),
      settlements.map(({ request_sha256 }) => request_sha256),
    ],
  );
  if (row === undefined) throw new Error("the ground of a list was not read");
  const documents = new Map<string, StoredDocument>();
  for (const [nth, accountId, version, text] of row.documents ?? []) {
    const ref = refs[nth - 1];
    if (ref !== undefined) documents.set(documentId(ref), { accountId, version, text });
  }
  const balances = new Map<string, number>();
  const facts = new Map<string, Fact>();
  for (const [nth, amount, done, firstCall, same] of row.facts) {
    const settlement = settlements[nth - 1];
    if (settlement === undefined) continue;
    if (amount !== null) balances.set(balanceId(settlement), amount);
    facts.set(settlement.id, { done, firstCall, same: same === true });
  }
  return { now: row.now, documents, balances, facts };
}
