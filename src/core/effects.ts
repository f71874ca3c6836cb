import type { Effect } from "./catalog/define.ts";
import type { Db } from "./db.ts";

/**
 * Makes changes for an account that no call of it leaves behind, in one transaction: by the functions `effect_<kind>`,
 * which alone write what features keep, each with null for the call.
 */
export async function leaveEffects(db: Db, accountId: string, effects: readonly Effect[]): Promise<void> {
  await db.query("select leave_effects($1, $2)", [accountId, JSON.stringify(effects)]);
}
