import { withoutPatience } from "./patience.ts";

/**
 * Looks at something every `everyMs` while it is started, and never twice at once: what waits for a database that is
 * away does not pile up. It does not keep a process alive.
 */
export class Repeater {
  readonly #everyMs: number;
  readonly #look: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(options: {
    readonly everyMs: number;
    readonly look: () => Promise<void>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#everyMs = options.everyMs;
    this.#look = options.look;
    this.#onError = options.onError;
  }

  get isStarted(): boolean {
    return this.#timer !== undefined;
  }

  /** The first look comes after `everyMs`; to start it again changes nothing. */
  start(): void {
    this.#timer ??= withoutPatience(() => setInterval(() => void this.#lookOnce(), this.#everyMs).unref());
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #lookOnce(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#look();
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#looking = false;
    }
  }
}
