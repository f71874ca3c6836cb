import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../core/limits.ts";

/**
 * Bounds what a process reads of all bodies in one turn of its event loop. A socket gives what the kernel holds for it,
 * which may be megabytes: hundreds of them at once would keep everybody else waiting for a good part of a second.
 */
export class Intake {
  readonly #paused = new Set<IncomingMessage>();
  #bytes = 0;
  #turnEnds = false;

  /** Notes that so many bytes of a body came in, and lets it wait for another turn where that was enough for this one. */
  note(payload: IncomingMessage, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > LIMITS.intakeTurnBytes) {
      payload.pause();
      this.#paused.add(payload);
    }
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#turnEnds = false;
    this.#bytes = 0;
    let resumed = 0;
    for (const payload of this.#paused) {
      if (resumed++ === LIMITS.intakeTurnBodies) break;
      this.#paused.delete(payload);
      payload.resume();
    }
    if (this.#paused.size === 0) return;
    this.#turnEnds = true;
    setImmediate(() => this.#nextTurn());
  }
}
