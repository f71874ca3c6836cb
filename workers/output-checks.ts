import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Piscina } from "piscina";
import type { Runnable } from "../src/core/calls/execute.ts";
import type { Capability } from "../src/core/catalog/capability.ts";
import type { Checked } from "../src/core/catalog/contract.ts";
import { OutOfSteps } from "../src/core/json-schema/faults.ts";
import { LIMITS } from "../src/core/limits.ts";
import { modulePath } from "../src/core/module-path.ts";
import type { OutputTask } from "./output-thread.ts";

/**
 * Checks outputs against the schemas of somebody outside: what takes more steps than an event loop has, goes on in a
 * thread, where the steps grow with the output.
 */
export class OutputChecks {
  #threads: Piscina<OutputTask, string | null> | undefined;

  /** The capability as a runner takes it, with its checks made where they may be made. */
  of(capability: Capability): Runnable {
    const { slug, schemas, contract } = capability;
    const schema = schemas?.output;
    if (schema === undefined) return capability;
    const check = async (output: unknown): Promise<Checked> => {
      const checked = contract.check(output);
      if (!("fault" in checked) || !(checked.fault instanceof OutOfSteps)) return checked;
      const json = new TextEncoder().encode(JSON.stringify(output));
      const fault = await this.#inThread({ schema, json });
      return fault === null ? { output } : { fault: new Error(fault) };
    };
    return { slug, contract: { check } };
  }

  async close(): Promise<void> {
    await this.#threads?.destroy();
  }

  /** No more wait here than the slots of a pool: nothing is refused. */
  async #inThread(task: OutputTask): Promise<string | null> {
    this.#threads ??= new Piscina<OutputTask, string | null>({
      filename: modulePath(join(import.meta.dirname, "output-thread.ts")),
      minThreads: 0,
      maxThreads: Math.max(1, availableParallelism() - 1),
      idleTimeout: LIMITS.outputThreadIdleMs,
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.outputThreadHeapMb },
    });
    try {
      return await this.#threads.run(task, {
        transferList: [task.json.buffer as ArrayBuffer],
        signal: AbortSignal.timeout(LIMITS.outputThreadMs),
      });
    } catch (error) {
      return `It could not be checked: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
