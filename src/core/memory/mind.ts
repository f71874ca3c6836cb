import type { Db } from "../db.ts";

/**
 * The memory gravity of an account: the sum over its memories of (1 + recalls) * 0.5^(age in days / 30), rounded to
 * three decimals.
 */
export async function readMind(db: Db, accountId: string): Promise<number> {
  const [row] = await db.query<{ mind: number }>("select memory_gravity($1, clock_now()) as mind", [
    accountId,
  ]);
  return row?.mind ?? 0;
}
