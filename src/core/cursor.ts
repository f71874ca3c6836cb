import type { Db } from "./db.ts";
import { type AppError, invalidInput } from "./errors.ts";

/** The error for a `before` that is the id of no row of its list: taken for none, it would give the first page again. */
export const unknownCursor = (): AppError =>
  invalidInput([
    { path: "before", message: "must be the id of a row of this list, such as next_before gives" },
  ]);

/** Throws `invalid_input` unless a look-up finds the row that `before` names. */
export async function checkCursor(db: Db, lookUp: string, params: readonly unknown[]): Promise<void> {
  const rows = await db.query(lookUp, params);
  if (rows.length === 0) throw unknownCursor();
}
