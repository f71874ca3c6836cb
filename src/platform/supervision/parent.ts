import { freeStartMemory } from "../free-memory.ts";

/**
 * Tells the supervisor that this process answers now, with what it likes to know of it; without one, nobody. What the
 * start took of memory and nothing needs any more is given back first.
 */
export function tellReady(info: Readonly<Record<string, unknown>> = {}): void {
  freeStartMemory();
  if (process.send === undefined || !process.connected) return;
  // The supervisor may go away at this very moment; `endWithParent` sees to that.
  process.send({ ready: true, info }, undefined, undefined, () => {});
}

/**
 * Calls `stop` and then ends this process when its supervisor has gone without a word, as when it was killed: the
 * operating system closes the channel between them. A process that was started without a supervisor goes on.
 */
export function endWithParent(stop: () => Promise<void>): void {
  if (process.send === undefined) return;
  const end = (): void => {
    // The supervisor read this process's stderr; what is written there now would be an error of its own.
    process.stderr.on("error", () => {});
    void stop()
      .catch(() => {
        process.exitCode = 1;
      })
      .finally(() => {
        process.exit();
      });
  };
  if (!process.connected) {
    end();
    return;
  }
  process.once("disconnect", end);
  // A listener keeps the channel and so the process open; what the process does must decide that.
  process.channel?.unref();
}
