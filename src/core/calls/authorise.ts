import { batch } from "../batch.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { Settlement, Verdict } from "./settle.ts";

/** A call that somebody wants to make. */
export type Wish = Pick<
  Settlement,
  "account_id" | "key_id" | "slug" | "price" | "currency" | "idempotency_key" | "request_sha256"
>;

/** What one read says of a wish: whether the settling would take it now. */
export type Authority = {
  readonly verdict:
    | "payable"
    | "unauthorized"
    | "replayed"
    | "mismatch"
    | "quarantined"
    | "spend_limit_reached"
    | "insufficient_funds";
  /** The first call of a key that was used before. */
  readonly callId: string | null;
  readonly balance: number | null;
  /** What the spend limit of the key still lets through; null where it has none. */
  readonly spendLeft: number | null;
};

/** What is known of a key's means in one currency. */
type Means = {
  balance: number;
  /** Null where the key has no limit, 0 where that was not read. */
  spendLeft: number | null;
  /** When it was read or settled; from 0 on, like `performance.now()`. */
  asOfMs: number;
  /** The prices of calls that were authorised and are not settled. */
  inFlight: number;
  changed: PromiseWithResolvers<void> | undefined;
};

const PAYABLE = { verdict: "payable", callId: null, spendLeft: null } as const;

/**
 * Says, before anything is run for a call, whether its key may pay for it: by one read, or by what this process read or
 * settled for the key less than a second ago. What it has in flight is held back; a call that only that keeps from being
 * paid waits until some of it is settled, so that none is refused because others were made at the same time.
 */
export class Authorisations {
  readonly #read: (wish: Wish) => Promise<Authority>;
  readonly #means = new Map<string, Means>();

  constructor(db: Db) {
    this.#read = batch<Wish, Authority>({
      maxItems: LIMITS.settleBatch,
      maxInFlight: LIMITS.authoriseBatchesInFlight,
      run: (wishes) => readAuthorities(db, wishes),
    });
  }

  /** The read, always: also for a key of an idempotent request. Holds nothing back. */
  async look(wish: Wish): Promise<Authority> {
    const authority = await this.#read(wish);
    const means = this.#meansOf(wish);
    if (authority.balance !== null) means.balance = authority.balance;
    means.spendLeft = authority.spendLeft;
    means.asOfMs = performance.now();
    return authority;
  }

  /**
   * Holds the price back until `settled`, or says why not. `looked` is what a look at this wish has just said.
   */
  async hold(wish: Wish, looked?: Authority): Promise<Authority> {
    const means = this.#meansOf(wish);
    let authority = looked;
    for (;;) {
      if (authority !== undefined && authority.verdict !== "payable") return authority;
      if (this.#covers(means, wish.price)) {
        means.inFlight += wish.price;
        return { ...PAYABLE, balance: means.balance };
      }
      if (authority !== undefined && means.inFlight > 0) {
        means.changed ??= Promise.withResolvers();
        await means.changed.promise;
      }
      if (means.inFlight === 0 || authority === undefined) authority = await this.look(wish);
    }
  }

  /** Ends the hold of a wish, with what the settling said of it, or nothing where it was not settled. */
  settled(wish: Wish, verdict?: Verdict): void {
    const means = this.#meansOf(wish);
    means.inFlight -= wish.price;
    if (verdict !== undefined) this.note(wish, verdict);
    means.changed?.resolve();
    means.changed = undefined;
  }

  /** Takes over what the settling of a call says of the means of its key. */
  note(wish: Wish, { verdict, balance }: Verdict): void {
    const means = this.#meansOf(wish);
    if (balance !== null) means.balance = balance;
    if (verdict === "accepted") {
      if (means.spendLeft !== null) means.spendLeft -= wish.price;
      means.asOfMs = performance.now();
    } else if (verdict === "spend_limit_reached") means.spendLeft = 0;
  }

  #covers({ balance, spendLeft, inFlight, asOfMs }: Means, price: number): boolean {
    const isFresh = performance.now() - asOfMs < LIMITS.meansFreshMs;
    return isFresh && balance - inFlight >= price && (spendLeft === null || spendLeft - inFlight >= price);
  }

  #meansOf({ account_id, key_id, currency }: Wish): Means {
    const id = `${currency} ${key_id ?? account_id}`;
    let means = this.#means.get(id);
    if (means === undefined) {
      means = { balance: 0, spendLeft: 0, asOfMs: -Infinity, inFlight: 0, changed: undefined };
      if (this.#means.size >= LIMITS.keyCacheEntries) this.#forgetIdle();
      this.#means.set(id, means);
    }
    return means;
  }

  #forgetIdle(): void {
    for (const [id, { inFlight }] of this.#means) if (inFlight === 0) this.#means.delete(id);
  }
}

type Row = {
  readonly ord: number;
  readonly verdict: Authority["verdict"];
  readonly call_id: string | null;
  readonly balance: number | null;
  readonly spend_left: number | null;
};

async function readAuthorities(db: Db, wishes: readonly Wish[]): Promise<readonly Authority[]> {
  const items = wishes.map((wish, ord) => ({ ord, ...wish }));
  const rows = await db.query<Row>(
    "select ord, verdict, call_id, balance, spend_left from authorise_calls($1)",
    [JSON.stringify(items)],
    { repeatable: true },
  );
  const byOrd = new Map(rows.map((row) => [row.ord, row]));
  return wishes.map((wish, ord) => {
    const row = byOrd.get(ord);
    if (row === undefined) throw new Error(`authorise_calls gave no verdict for a call of ${wish.slug}`);
    return { verdict: row.verdict, callId: row.call_id, balance: row.balance, spendLeft: row.spend_left };
  });
}
