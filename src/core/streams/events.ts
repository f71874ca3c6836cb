import type { Db } from "../db.ts";

/** One event as it is stored; `data` is JSON, or null where the owner of the stream makes it when it is read. */
export type StoredEvent = { readonly seq: number; readonly type: string; readonly data: string | null };

/** How far somebody has followed a stream. */
export type StreamPosition = { readonly streamId: string; readonly seq: number };

/** The events of a stream after `afterSeq`, in order and without a gap, at most `limit`. */
export async function readEvents(
  db: Db,
  streamId: string,
  afterSeq: number,
  limit: number,
): Promise<StoredEvent[]> {
  return await db.query<StoredEvent>(
    "select seq, type, data from read_events($1, $2) order by seq limit $3",
    [streamId, afterSeq, limit],
  );
}

/** Which of these streams go on after these positions: a call's row says how far it is, and else its stored events. */
export async function streamsWithNews(db: Db, positions: readonly StreamPosition[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select p.id from unnest($1::text[], $2::integer[]) p(id, seq)
       left join lateral (select c.events from calls c where c.id = p.id limit 1) c on true
      where coalesce(c.events > p.seq, exists (select from events e where e.stream_id = p.id and e.seq > p.seq))`,
    [positions.map(({ streamId }) => streamId), positions.map(({ seq }) => seq)],
  );
  return rows.map(({ id }) => id);
}
