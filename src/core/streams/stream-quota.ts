import { batch } from "../batch.ts";
import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { Repeater } from "../repeater.ts";

/** Whose streams are counted together: an account's, or of whatever else has a quota of its own. */
export type Quota = { readonly scope: string; readonly max: number };

/**
 * How many streams each account holds open, over all processes. Each open stream is a row; the rows of a process count
 * while its lease lasts, so that what a killed one held is free again soon.
 */
export class StreamQuota {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  /** The name of this process as a holder of streams. */
  readonly #holder = newId("stm");
  /** Its streams, each with its scope. */
  readonly #open = new Map<string, string>();
  /** Those that have ended, and whose rows are still there. */
  readonly #unclosed = new Set<string>();
  readonly #close: (id: string) => Promise<void>;
  readonly #lease: Repeater;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
    this.#lease = new Repeater({ everyMs: LIMITS.streamRenewMs, look: () => this.#renew(), onError });
    this.#close = batch<string, void>({
      maxItems: LIMITS.settleBatch,
      maxInFlight: 1,
      run: async (ids) => {
        await db.query("delete from open_streams where id = any($1)", [ids], { repeatable: true });
        return ids.map(() => undefined);
      },
    });
  }

  /** Counts a stream until the returned function is called. Throws `too_many_streams`. */
  async open({ scope, max }: Quota): Promise<() => void> {
    const id = newId("stm");
    // While nothing was open, no sign of life was given.
    if (!this.#lease.isStarted) await this.#sayAll();
    let verdict = await this.#openRow(id, scope, max);
    if (verdict === "unknown") {
      await this.#sayAll();
      verdict = await this.#openRow(id, scope, max);
    }
    if (verdict !== "opened") {
      throw new AppError(
        "too_many_streams",
        `No more than ${max} of these streams may be open at once. Close one first.`,
      );
    }
    this.#open.set(id, scope);
    this.#lease.start();
    return () => {
      this.#open.delete(id);
      void this.#closeRow(id);
      if (this.#open.size === 0) this.#lease.stop();
    };
  }

  /** Gives back at once what this process holds, when it ends. */
  async close(): Promise<void> {
    this.#lease.stop();
    // A sign of life that is under way must not bring them back.
    this.#open.clear();
    await this.#db.query("delete from stream_holders where holder = $1", [this.#holder]);
  }

  /** One that could not be closed is closed with the next sign of life, or when the lease has run out. */
  async #closeRow(id: string): Promise<void> {
    try {
      await this.#close(id);
      this.#unclosed.delete(id);
    } catch (error) {
      this.#unclosed.add(id);
      this.#onError(error);
    }
  }

  async #openRow(id: string, scope: string, max: number): Promise<"opened" | "full" | "unknown"> {
    const [row] = await this.#db.query<{ verdict: "opened" | "full" | "unknown" }>(
      "select open_stream($1, $2, $3, $4) as verdict",
      [id, scope, this.#holder, max],
      { repeatable: true },
    );
    return row?.verdict ?? "unknown";
  }

  async #renew(): Promise<void> {
    const [row] = await this.#db.query<{ known: boolean }>("select hold_streams($1, $2) as known", [
      this.#holder,
      LIMITS.streamLeaseMs,
    ]);
    if (row?.known !== true) await this.#sayAll();
    for (const id of this.#unclosed) void this.#closeRow(id);
  }

  /** The rows are not there at the first stream, and gone after a crash of the server. */
  async #sayAll(): Promise<void> {
    await this.#db.query(
      "select hold_streams($1, $2, $3, $4)",
      [this.#holder, LIMITS.streamLeaseMs, [...this.#open.keys()], [...this.#open.values()]],
      { repeatable: true },
    );
  }
}
