import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";

/** How often a server is asked whether it is there. */
const LOOK_EVERY_MS = 500;
/** A server that is silent for longer is away: commands to a frozen one hang and do not fail. */
const PATIENCE_MS = 800;
/** The wait is cut into parts, so that a process that was held up itself reads what has come before it judges. */
const PATIENCE_PARTS = 4;
/** Longer than it takes to write it again. */
const MARK_MS = 10_000;
/** How often the log says that a server is still away, or that it refuses what it is asked. */
const REPEAT_MS = 60_000;

/** Who keeps connections: `onHere` opens them, `onAway` lets them go without waiting for an answer on any. */
export type PresenceFollower = { readonly onHere: () => void; readonly onAway: () => void };

/** What is told of a server: that it went, that it is still away, that it is back, and what it refuses while it is there. */
export type PresenceReport = {
  readonly onAway: (away: { readonly sinceMs: number; readonly err: unknown }) => void;
  readonly onBack: (away: { readonly sinceMs: number }) => void;
  readonly onFault: (error: unknown) => void;
};

/**
 * Whether a Redis is there, as of a moment ago. It is there where it takes a small write in time: one that is frozen,
 * full or read-only is of no use to a queue, either, whatever its connections look like.
 */
export class RedisPresence {
  readonly #url: string;
  readonly #key: string;
  readonly #report: PresenceReport;
  readonly #followers = new Set<PresenceFollower>();
  #client: Redis | undefined;
  /** Why the connection broke, or was not made: what its commands are told is only that it is closed. */
  #connectionError: Error | undefined;
  #awaySince: Date | null = null;
  #saidAt = 0;
  #fault: { readonly error: unknown } | undefined;
  #faultSaidAt = Number.NEGATIVE_INFINITY;
  #lookSoon = Promise.withResolvers<void>();
  #watching: Promise<void> | undefined;
  #closed = false;

  constructor(options: { readonly url: string; readonly prefix: string; readonly report: PresenceReport }) {
    this.#url = options.url;
    this.#key = `${options.prefix}:presence`;
    this.#report = options.report;
  }

  /** Resolves when it is known whether the server is there. From then on its goings and comings are noticed. */
  async start(): Promise<void> {
    await this.#look();
    this.#watching = this.#watch();
  }

  /** Since when the server has been away; null while it is there. */
  get awaySince(): Date | null {
    return this.#awaySince;
  }

  /** Tells a follower how things are, and from now on how they change. Gives what ends that. */
  follow(follower: PresenceFollower): () => void {
    this.#followers.add(follower);
    tell(follower, this.#awaySince);
    return () => void this.#followers.delete(follower);
  }

  /** Somebody's command or connection failed: a look shows whether the server is away; if it is not, that is told. */
  readonly suspect = (error: unknown): void => {
    if (this.#awaySince !== null || this.#closed) return;
    this.#fault = { error };
    this.#lookSoon.resolve();
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#client?.disconnect();
    this.#lookSoon.resolve();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      await pause(LOOK_EVERY_MS, this.#lookSoon.promise);
      this.#lookSoon = Promise.withResolvers();
      if (!this.#closed) await this.#look();
    }
  }

  async #look(): Promise<void> {
    const fault = this.#fault;
    this.#fault = undefined;
    const why = await this.#ask();
    if (this.#closed) return;
    if (why === null) {
      this.#isHere();
      if (fault !== undefined) this.#tellFault(fault.error);
    } else this.#isAway(why.error);
  }

  #isHere(): void {
    if (this.#awaySince === null) return;
    const sinceMs = Date.now() - this.#awaySince.getTime();
    this.#awaySince = null;
    this.#report.onBack({ sinceMs });
    for (const follower of this.#followers) tell(follower, null);
  }

  #isAway(err: unknown): void {
    const news = this.#awaySince === null;
    this.#awaySince ??= new Date();
    if (news || performance.now() - this.#saidAt > REPEAT_MS) {
      this.#saidAt = performance.now();
      this.#report.onAway({ sinceMs: Date.now() - this.#awaySince.getTime(), err });
    }
    if (news) for (const follower of this.#followers) tell(follower, this.#awaySince);
  }

  #tellFault(error: unknown): void {
    if (performance.now() - this.#faultSaidAt < REPEAT_MS) return;
    this.#faultSaidAt = performance.now();
    this.#report.onFault(error);
  }

  /** Null where the server took a write. One that did not loses the connection: the next look makes a new one. */
  async #ask(): Promise<{ readonly error: unknown } | null> {
    const client = this.#client ?? this.#connect();
    this.#client = client;
    try {
      const taken = client.set(this.#key, "", "PX", MARK_MS);
      taken.catch(() => undefined);
      await Promise.race([taken, silence()]);
      return null;
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      client.disconnect();
      return { error: this.#connectionError ?? error };
    }
  }

  #connect(): Redis {
    const client = new Redis(this.#url, {
      connectTimeout: PATIENCE_MS,
      maxRetriesPerRequest: null,
      retryStrategy: () => null,
    });
    this.#connectionError = undefined;
    client.on("error", (error) => {
      this.#connectionError = error;
    });
    client.on("end", () => {
      if (this.#awaySince === null && this.#client === client) this.#lookSoon.resolve();
    });
    return client;
  }
}

const tell = ({ onHere, onAway }: PresenceFollower, awaySince: Date | null): void =>
  awaySince === null ? onHere() : onAway();

async function silence(): Promise<never> {
  for (let part = 0; part < PATIENCE_PARTS; part++) {
    await sleep(PATIENCE_MS / PATIENCE_PARTS, undefined, { ref: false });
    await setImmediate();
  }
  throw new Error(`no answer within ${PATIENCE_MS} ms`);
}

/** Until the time is over, or `sooner`. */
async function pause(ms: number, sooner: Promise<void>): Promise<void> {
  const over = new AbortController();
  const time = sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  await Promise.race([time, sooner]);
  over.abort();
}
