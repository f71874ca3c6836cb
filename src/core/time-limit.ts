import { Script, createContext } from "node:vm";

/** How many times the limit may pass on the clock while other programs have the processor. */
const BUSY_FACTOR = 4;
/** Of the limit: who has had less of the processor's time was waiting for it rather than working. */
const WORKED_SHARE = 0.25;

/** Synchronous work that was ended because it took too long. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(limitMs: number) {
    super(`It takes longer than ${limitMs} ms.`);
  }
}

const script = new Script("work()");

/**
 * Runs synchronous work and ends it when its time is over, also within a regular expression; gives its result. On a
 * machine so busy that the time ran out before the work did, it is begun once more with `BUSY_FACTOR` times the limit:
 * it must not mind.
 * Throws `TimeLimitError`, and what the work throws.
 */
export function within<T>(limitMs: number, work: () => T): T {
  const before = process.cpuUsage();
  try {
    return timed(limitMs, limitMs, work);
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    // Of all threads, which errs towards the error: Node 22 does not count one alone.
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 >= limitMs * WORKED_SHARE) throw error;
    return timed(limitMs, limitMs * BUSY_FACTOR, work);
  }
}

function timed<T>(limitMs: number, clockMs: number, work: () => T): T {
  try {
    return script.runInContext(createContext({ work }), { timeout: clockMs }) as T;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new TimeLimitError(limitMs);
  }
}
