import { createHash } from "node:crypto";
import type { Caller } from "../calls/call-request.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import { isKeyShaped } from "./keys.ts";
import { unauthorized } from "./manager.ts";

/** How often a key's use is noted, at most. */
const NOTE_USE_MS = 60_000;

/** Who a key belongs to. A restricted key has an end or a spend limit, which never change. */
export type KeyHolder = Caller & { readonly restricted: boolean };

type Known = {
  readonly caller: KeyHolder;
  readonly expiresAt: number;
  readonly readAt: number;
  notedAt: number;
};

/**
 * Tells who a key belongs to. A known key is looked up again after a few seconds, which is how soon a revoked one stops
 * working in every process.
 */
export class Authenticator {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #known = new Map<string, Known>();

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** The caller of this key. Throws `unauthorized`, the same for every reason. */
  async authenticate(key: string | undefined): Promise<KeyHolder> {
    if (key === undefined || !isKeyShaped(key)) throw unauthorized();
    const sha256 = createHash("sha256").update(key).digest("hex");
    let known = this.#known.get(sha256);
    if (known === undefined || Date.now() - known.readAt > LIMITS.keyCacheMs) {
      known = await this.#lookUp(sha256, known?.notedAt ?? 0);
    }
    if (known.expiresAt <= Date.now()) throw unauthorized();
    this.#noteUse(known);
    return known.caller;
  }

  async #lookUp(sha256: string, notedAt: number): Promise<Known> {
    const [row] = await this.#db.query<{
      id: string;
      account_id: string;
      expires_at: Date | null;
      limited: boolean;
    }>(
      `select id, account_id, expires_at, limit_amount is not null as limited
         from api_keys where sha256 = decode($1, 'hex') and revoked_at is null`,
      [sha256],
      { repeatable: true },
    );
    this.#known.delete(sha256);
    if (row === undefined) throw unauthorized();
    const known = {
      caller: {
        accountId: row.account_id,
        keyId: row.id,
        restricted: row.limited || row.expires_at !== null,
      },
      expiresAt: row.expires_at?.getTime() ?? Infinity,
      readAt: Date.now(),
      notedAt,
    };
    if (this.#known.size >= LIMITS.keyCacheEntries) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#known.set(sha256, known);
    return known;
  }

  #noteUse(known: Known): void {
    if (Date.now() - known.notedAt < NOTE_USE_MS) return;
    known.notedAt = Date.now();
    this.#db
      .query("update api_keys set last_used_at = clock_now() where id = $1", [known.caller.keyId])
      .catch(this.#onError);
  }
}
