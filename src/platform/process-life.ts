import { untilToldToStop } from "./supervision/parent.ts";

/** How a process goes on once it has begun to start. */
export type Life = {
  /** Aborted when the stop begins. */
  readonly stopping: AbortSignal;
  /** Aborted when a person does not want to wait for what runs. */
  readonly hurry: AbortSignal;
  /** Says how to close a thing, as soon as it is open, for a stop may come in the middle of the start. */
  readonly onStop: (close: () => Promise<void>) => void;
  /** Begins the stop, as a signal would. */
  readonly end: () => void;
};

export type LifeOptions = {
  /** How long the stop may take; then the process ends all the same. */
  readonly limitMs: number;
  /**
   * Whether it keeps other processes, none of which may be left behind: then it takes its time also when it had not
   * started, and ends by `hurry` what it does not wait for. Any other process simply ends. Default false.
   */
  readonly keepsOthers?: boolean;
  /** The signals that stop it; a supervised process may leave that to its supervisor alone. */
  readonly signals?: readonly NodeJS.Signals[];
  /** Told of an error that nobody caught. */
  readonly onFault: (error: unknown) => void | Promise<void>;
  /** Told of a stop that took too long. */
  readonly onLate: (what: string) => void | Promise<void>;
};

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;
/** What has not started holds nothing that is worth waiting for. */
const UNSTARTED_LIMIT_MS = 2_000;
/**
 * A signal to a whole process group arrives directly and once more from whoever passes it on; a person presses Ctrl-C
 * again later than that.
 */
const DELIBERATE_AFTER_MS = 1_000;
const FAILED = 1;

/**
 * Starts a process that serves until it is stopped: by a signal, by its supervisor, by the supervisor's death, or by an
 * error that nobody caught. The first of them begins the stop, in which what was opened last is closed first; those that
 * follow change nothing, but for a Ctrl-C that comes a while later. A start that fails is closed in the same way, and
 * throws. The process ends when all is closed, or after the limit.
 */
export async function live(options: LifeOptions, start: (life: Life) => Promise<void>): Promise<void> {
  const { keepsOthers = false } = options;
  const stopping = new AbortController();
  const hurry = new AbortController();
  const closings: (() => Promise<void>)[] = [];
  let started = false;
  let stoppedAt = Number.POSITIVE_INFINITY;

  const close = async (): Promise<boolean> => {
    const limitMs = started || keepsOthers ? options.limitMs : UNSTARTED_LIMIT_MS;
    const late = Promise.withResolvers<false>();
    setTimeout(() => late.resolve(false), limitMs);
    const closed = closeAll(closings, (error) => void options.onFault(error)).then(() => true);
    const inTime = await Promise.race([closed, late.promise]);
    if (!inTime) await options.onLate(`what was open has not closed within ${limitMs} ms`);
    return inTime;
  };
  const stop = (exitCode: number): void => {
    if (stopping.signal.aborted) return;
    stoppedAt = performance.now();
    stopping.abort();
    void close().then((inTime) => process.exit(inTime ? exitCode : FAILED));
  };

  for (const signal of SIGNALS) {
    const heard = options.signals?.includes(signal) ?? true;
    process.on(signal, () => {
      if (signal === "SIGINT" && performance.now() - stoppedAt > DELIBERATE_AFTER_MS) {
        if (!keepsOthers) process.exit(FAILED);
        hurry.abort();
      }
      if (heard) stop(0);
    });
  }
  const onUncaught = async (error: unknown): Promise<void> => {
    await options.onFault(error);
    stop(FAILED);
  };
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => void onUncaught(error));
  untilToldToStop(() => stop(0));

  try {
    await start({
      stopping: stopping.signal,
      hurry: hurry.signal,
      onStop: (closing) => void closings.push(closing),
      end: () => stop(0),
    });
    started = true;
  } catch (error) {
    // What a stop breaks off fails, and the stop ends the process.
    if (stopping.signal.aborted) return;
    stopping.abort();
    await close();
    throw error;
  }
}

/** A thing that does not close keeps nothing else open. */
async function closeAll(closings: (() => Promise<void>)[], onFault: (error: unknown) => void): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close().catch(onFault);
}
