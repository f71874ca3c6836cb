import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";

/** How many memories one account is taken to store in a millisecond at most. */
const STORES_PER_MS = 2;

type Room = { readonly memories: number; readonly readAgainAt: number };

/**
 * How many more memories each account may keep. Counting reads up to as many rows as an account may have, so a count
 * serves for some seconds, and for less the nearer the account is to its limit: not longer than it could take to fill.
 */
export class Rooms {
  readonly #db: Db;
  readonly #known = new Map<string, Room>();

  constructor(db: Db) {
    this.#db = db;
  }

  async of(accountId: string): Promise<number> {
    const known = this.#known.get(accountId);
    if (known !== undefined && performance.now() < known.readAgainAt) return known.memories;
    const askedAt = performance.now();
    const memories = await this.#count(accountId);
    const readAgainAt = askedAt + Math.min(LIMITS.memoryRoomMs, memories / STORES_PER_MS);
    this.#keep(accountId, { memories, readAgainAt });
    return memories;
  }

  #keep(accountId: string, room: Room): void {
    this.#known.delete(accountId);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < LIMITS.memoryRoomEntries) break;
      this.#known.delete(oldest);
    }
    this.#known.set(accountId, room);
  }

  async #count(accountId: string): Promise<number> {
    const [row] = await this.#db.query<{ held: number }>(
      "select count(*) as held from (select from memories where account_id = $1 limit $2) held",
      [accountId, LIMITS.memoriesPerAccount],
    );
    return LIMITS.memoriesPerAccount - (row?.held ?? 0);
  }
}
