import type { Db } from "./db.ts";

/** Counts a hit in the window of this key, which all processes share. Gives the hits of the window and how long it lasts. */
export async function countHit(
  db: Db,
  key: string,
  windowMs: number,
): Promise<{ readonly hits: number; readonly leftMs: number }> {
  const [row] = await db.query<{ hits: number; left_ms: number }>("select * from count_hit($1, $2)", [
    key,
    windowMs,
  ]);
  return { hits: row?.hits ?? 0, leftMs: row?.left_ms ?? windowMs };
}
