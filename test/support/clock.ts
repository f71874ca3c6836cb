import type { Db } from "../../src/core/db.ts";

/** Moves the time of a test's own database by an interval such as `1 year`, for all its sessions. As the owner. */
export async function moveClock(owner: Db, interval: string): Promise<void> {
  if (!/^-?\d+ [a-z]+$/.test(interval)) throw new Error(`${interval} is no interval`);
  await owner.query(
    `create or replace function clock_now() returns timestamptz language sql volatile parallel safe
       as $$ select clock_timestamp() + interval '${interval}' $$`,
  );
}
