import type { ClaimedCall } from "../src/core/calls/dispatch.ts";
import { execute, type Outcome, timeLeft } from "../src/core/calls/execute.ts";
import type { ThreadLimits } from "../src/core/calls/pools.ts";
import type { Handler } from "../src/core/catalog/define.ts";
import type { Capability } from "../src/core/catalog/capability.ts";
import { loadHandler } from "../src/core/catalog/folders.ts";
import type { Runtime } from "../src/platform/runtime.ts";
import { OutputChecks } from "./output-checks.ts";
import { throttled } from "./progress.ts";

export type Run = {
  readonly capability: Capability;
  readonly call: ClaimedCall;
  readonly signal: AbortSignal;
  /** `data` is JSON. */
  readonly progress: (data: string) => void;
};

/** Runs handlers, somewhere. `run` never throws: what goes wrong is an outcome. */
export type Runner = {
  run(run: Run): Promise<Outcome>;
  close(): Promise<void>;
};

/** A runner in this process, or, with limits, in threads that can be ended whatever they do. */
export function createRunner(runtime: Runtime, threads: ThreadLimits | null, slots: number): Runner {
  if (threads === null) return inProcessRunner(runtime);
  const starting = import("./thread-runner.ts").then(({ createThreadRunner }) =>
    createThreadRunner(runtime, threads, slots),
  );
  return {
    run: async (run) => (await starting).run(run),
    close: async () => (await starting).close(),
  };
}

function inProcessRunner({ services, log }: Runtime): Runner {
  const handlers = new Map<string, Promise<Handler>>();
  const checks = new OutputChecks();
  return {
    run: async ({ capability, call, signal, progress }) => {
      const onUnexpected = (error: unknown): void =>
        log.error({ err: error, slug: call.slug, callId: call.id }, "handler");
      const handler: Handler = async (input, context) => {
        const { folder } = capability;
        let loading = handlers.get(folder);
        if (loading === undefined) handlers.set(folder, (loading = loadHandler(folder)));
        return (await loading)(input, context);
      };
      const context = {
        ...services,
        callId: call.id,
        accountId: call.accountId,
        warnings: call.warnings,
        signal,
        leftMs: timeLeft(call.leftMs),
        progress: throttled(progress),
      };
      return await execute(checks.of(capability), handler, JSON.parse(call.input), context, onUnexpected);
    },
    close: () => checks.close(),
  };
}
