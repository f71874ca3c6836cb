import { batch } from "../src/core/batch.ts";
import type { Consumer, Dispatcher, PoolWork } from "../src/core/calls/dispatch.ts";
import type { Pool } from "../src/core/catalog/define.ts";
import type { Db } from "../src/core/db.ts";

/**
 * How often a consumer looks by itself: seldom where it hears of calls, for a notification that never came; often while
 * it hears nothing, or after a look that failed.
 */
const LOOK_MS = { hearing: 5_000, deaf: 500 };
/** Consumers that all looked at the same moment would need a connection each: up to this share is added to the pause. */
const JITTER = 0.2;
const ANNOUNCEMENTS_AT_ONCE = 1_000;

/** Hears what is sent to channels, and whenever something may have been missed. */
export type Ear = {
  listen(channel: string, hear: () => void): Promise<() => void>;
  /** Whether it would hear something now. */
  readonly hearing: boolean;
};

const channelOf = (pool: Pool): string => `meshforge_pool_${pool}`;

/** The calls table as its own queue: one NOTIFY for many calls, and claims of as many as there are free slots. */
export function createPostgresDispatcher(options: {
  readonly db: Db;
  readonly ear: Ear;
  readonly onError: (error: unknown) => void;
}): Dispatcher {
  const notify = batch<Pool, void>({
    maxItems: ANNOUNCEMENTS_AT_ONCE,
    maxInFlight: 1,
    run: async (pools) => {
      const channels = [...new Set(pools)].map(channelOf);
      await options.db.query("select pg_notify(channel, '') from unnest($1::text[]) channel", [channels]);
      return pools.map(() => undefined);
    },
  });
  return {
    announce: (pool) => notify(pool),
    consume: (pool, work) => consume(pool, work, options),
    awaySince: () => null,
    waiting: () => Promise.resolve(null),
    look: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

async function consume(
  pool: Pool,
  work: PoolWork,
  { ear, onError }: { readonly ear: Ear; readonly onError: (error: unknown) => void },
): Promise<Consumer> {
  let free = work.slots;
  let stopped = false;
  let claiming: Promise<void> | undefined;
  /** Whether calls may wait: somebody said so, or the last claim got all that it asked for. */
  let mayWait = false;
  let lookTimer: NodeJS.Timeout | undefined;

  async function claimAll(): Promise<void> {
    while (mayWait && free > 0 && !stopped) {
      mayWait = false;
      const asked = free;
      const calls = await work.claim(asked);
      free -= calls.length;
      mayWait ||= calls.length === asked;
      for (const call of calls) void work.run(call).finally(release);
    }
  }

  function release(): void {
    free++;
    // Runs end in batches: one claim for all the slots of a batch.
    setImmediate(claim);
  }

  function claim(): void {
    if (!mayWait || free === 0 || stopped || claiming !== undefined) return;
    claiming = claimAll()
      .catch((error: unknown) => {
        onError(error);
        lookIn(LOOK_MS.deaf);
      })
      .finally(() => {
        claiming = undefined;
        claim();
      });
  }

  function wake(): void {
    mayWait = true;
    claim();
  }

  function lookIn(pauseMs: number): void {
    clearTimeout(lookTimer);
    if (stopped) return;
    lookTimer = setTimeout(look, pauseMs * (1 + Math.random() * JITTER));
  }

  function look(): void {
    lookIn(ear.hearing ? LOOK_MS.hearing : LOOK_MS.deaf);
    wake();
  }

  const unlisten = await ear.listen(channelOf(pool), wake);
  look();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(lookTimer);
      unlisten();
      await claiming;
    },
  };
}
