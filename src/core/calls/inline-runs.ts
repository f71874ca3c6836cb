import type { Capability } from "../catalog/capability.ts";
import type { Handler, HandlerServices } from "../catalog/define.ts";
import { loadHandler } from "../catalog/folders.ts";
import { LIMITS } from "../limits.ts";
import { Quota } from "../quota.ts";
import type { Turns } from "../turns.ts";
import { execute, failure, type Outcome, timeLeft } from "./execute.ts";
import { type PreparedInput, valueOf } from "./prepare.ts";

/** One call to run here. */
export type InlineRun = {
  readonly callId: string;
  readonly accountId: string;
  readonly capability: Capability;
  readonly input: PreparedInput;
  readonly warnings: readonly string[];
};

export type InlineOptions = {
  readonly services: HandlerServices;
  readonly turns: Turns;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
};

/**
 * Runs calls in this process: short inputs only, and only so many at once that nobody else waits for them for long.
 * Their handlers are our own, and what they take grows with the input, so that the length of the input bounds it; the
 * time limit is for those that wait for something.
 */
export class InlineRuns {
  readonly #options: InlineOptions;
  readonly #running = new Quota(LIMITS.inlineRunsBytes);
  readonly #handlers = new Map<string, Promise<Handler>>();

  constructor(options: InlineOptions) {
    this.#options = options;
  }

  /** Keeps room for a run; false where the call belongs into the pool `text`. Who was given room calls `leave`. */
  enter(accountId: string, { inlineBytes }: Capability, input: PreparedInput): boolean {
    if (inlineBytes === Number.POSITIVE_INFINITY) return true;
    return input.bytes <= inlineBytes && this.#running.tryTake(accountId, weightOf(input));
  }

  leave(accountId: string, { inlineBytes }: Capability, input: PreparedInput): void {
    if (inlineBytes !== Number.POSITIVE_INFINITY) this.#running.give(accountId, weightOf(input));
  }

  /** How the run of a handler ended; never throws but `overloaded`, when nothing was run. */
  async run({ callId, accountId, capability, input, warnings }: InlineRun): Promise<Outcome> {
    const { services, turns, onError } = this.#options;
    const handler = await this.#handlerOf(capability);
    const { timeoutMs } = capability;
    // `AbortSignal.timeout` would fire long after the run, each time with an exception of its own.
    const stop = new AbortController();
    const late = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      late.resolve(
        failure("deadline_exceeded", "The call did not end within the time that its capability may take."),
      );
      stop.abort();
    }, timeoutMs);
    const context = {
      ...services,
      callId,
      accountId,
      warnings,
      signal: stop.signal,
      leftMs: timeLeft(timeoutMs),
      progress: () => undefined,
    };
    const onUnexpected = (error: unknown): void => onError(error, { slug: capability.slug, callId });
    try {
      const outcome = turns.run({ owner: accountId, bytes: input.bytes }, () =>
        execute(capability, handler, valueOf(input), context, onUnexpected),
      );
      return await Promise.race([outcome, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #handlerOf({ slug, folder }: Capability): Promise<Handler> {
    let handler = this.#handlers.get(slug);
    if (handler === undefined) this.#handlers.set(slug, (handler = loadHandler(folder)));
    return await handler;
  }
}

const weightOf = ({ bytes }: PreparedInput): number => bytes + LIMITS.inlineRunBytes;
