import { randomUUID } from "node:crypto";
import type { WakeBus } from "../calls/dispatch.ts";
import type { Db } from "../db.ts";
import { ModelFault } from "./client.ts";
import type { ModelTier } from "./models.ts";

/** Without a sign of life for this long, a process has lost its turns. */
const LEASE_MS = 5_000;
/** How often it gives that sign, and looks for a turn that no wake-up told of. */
const RENEW_MS = 1_000;

export type SlotsOptions = {
  readonly db: Db;
  readonly bus: WakeBus;
  /** How many requests may be under way at once, of all processes together. */
  readonly limits: Readonly<Record<ModelTier, number>>;
  readonly onError: (error: unknown) => void;
};

/**
 * The turns at the model servers: no more requests at once than a tier's limit, whatever number of processes asks, each
 * in its turn. A process that is killed loses its turns when their leases run out. Costs nothing while nobody asks.
 */
export class ModelSlots {
  readonly #options: SlotsOptions;
  readonly #holder = randomUUID();
  readonly #lines = new Map<ModelTier, Line>();

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** Waits for a turn; the returned function ends it. Throws the fault `aborted` when the signal is aborted before. */
  async take(tier: ModelTier, signal: AbortSignal): Promise<() => void> {
    let line = this.#lines.get(tier);
    if (line === undefined) {
      if (this.#lines.size === 0) this.#listen();
      this.#lines.set(tier, (line = new Line(tier, this.#holder, this.#options)));
    }
    return await line.take(signal);
  }

  #listen(): void {
    const { bus, onError } = this.#options;
    bus
      .subscribe((wakes) => {
        for (const { kind, callId } of wakes) {
          if (kind === "turn" && callId === this.#holder)
            for (const line of this.#lines.values()) line.look();
        }
      })
      .catch(onError);
  }
}

/** Those of this process who wait at one tier, or have their turn. */
class Line {
  readonly #tier: ModelTier;
  readonly #holder: string;
  readonly #options: SlotsOptions;
  readonly #waiting = new Map<string, () => void>();
  readonly #held = new Set<string>();
  readonly #done = new Set<string>();
  #asking = false;
  #askAgain = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(tier: ModelTier, holder: string, options: SlotsOptions) {
    this.#tier = tier;
    this.#holder = holder;
    this.#options = options;
  }

  async take(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw new ModelFault("aborted");
    const id = randomUUID();
    const turn = Promise.withResolvers<void>();
    const giveUp = (): void => {
      turn.reject(new ModelFault("aborted"));
      this.#end(id);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#waiting.set(id, turn.resolve);
    this.look();
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
    return () => this.#end(id);
  }

  /** Asks the database whose turn it is; once more after that where something has changed meanwhile. */
  look(): void {
    this.#timer ??= setInterval(() => this.look(), RENEW_MS).unref();
    if (this.#asking) this.#askAgain = true;
    else void this.#ask();
  }

  #end(id: string): void {
    if (!this.#waiting.delete(id) && !this.#held.delete(id)) return;
    this.#done.add(id);
    this.look();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    do {
      this.#askAgain = false;
      await this.#askOnce().catch(this.#options.onError);
    } while (this.#askAgain);
    this.#asking = false;
    if (this.#waiting.size + this.#held.size + this.#done.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #askOnce(): Promise<void> {
    const { db, bus, limits } = this.#options;
    const done = [...this.#done];
    const rows = await db.query<{ holder: string; id: string | null }>(
      "select holder, id from take_model_turns($1, $2, $3, $4, $5, $6, $7)",
      [
        this.#tier,
        this.#holder,
        limits[this.#tier],
        LEASE_MS,
        done,
        [...this.#held],
        [...this.#waiting.keys()],
      ],
      { repeatable: true },
    );
    for (const id of done) this.#done.delete(id);
    for (const { holder, id } of rows) {
      if (id === null) bus.publish([{ kind: "turn", callId: holder }]);
      else this.#begin(id);
    }
  }

  #begin(id: string): void {
    const begin = this.#waiting.get(id);
    // It gave up while it was given its turn: the next question hands the turn back.
    if (begin === undefined) return;
    this.#waiting.delete(id);
    this.#held.add(id);
    begin();
  }
}
