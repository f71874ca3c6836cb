import { freeStartMemory } from "../free-memory.ts";

/** What a process tells its supervisor. */
export type Told =
  | { readonly ready: true; readonly info: Readonly<Record<string, unknown>> }
  | { readonly failed: string };

/** What a supervisor tells its processes. */
export const STOP = { stop: true } as const;

/** Whether a supervisor started this process. */
export const isSupervised = (): boolean => process.send !== undefined;

/**
 * Tells the supervisor that this process answers now, with what it likes to know of it; without one, nobody. What the
 * start took of memory and nothing needs any more is given back first.
 */
export function tellReady(info: Readonly<Record<string, unknown>> = {}): void {
  freeStartMemory();
  void tell({ ready: true, info });
}

/** Tells the supervisor why this process could not start. Resolves when that is on its way, and gives whether it is. */
export async function tellFailed(reason: string): Promise<boolean> {
  return await tell({ failed: reason });
}

async function tell(told: Told): Promise<boolean> {
  if (process.send === undefined || !process.connected) return false;
  const sent = Promise.withResolvers<boolean>();
  // The supervisor may go away at this very moment; `untilToldToStop` sees to that.
  process.send(told, undefined, undefined, (error) => sent.resolve(error === null));
  return await sent.promise;
}

/**
 * Calls `stop` when the supervisor says so, or has gone without a word, as when it was killed: the operating system
 * closes the channel between them. A process that was started without a supervisor goes on.
 */
export function untilToldToStop(stop: () => void): void {
  if (process.send === undefined) return;
  const orphaned = (): void => {
    // The supervisor read this process's stderr; what is written there now would be an error of its own.
    process.stderr.on("error", () => {});
    stop();
  };
  if (!process.connected) {
    orphaned();
    return;
  }
  process.once("disconnect", orphaned);
  process.on("message", (message) => {
    if (typeof message === "object" && message !== null && "stop" in message) stop();
  });
  // A listener keeps the channel and so the process open; what the process does must decide that.
  process.channel?.unref();
}
