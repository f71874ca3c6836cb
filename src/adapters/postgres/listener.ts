import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";

const RECONNECT_MS = { first: 50, max: 1_000 };

/** One connection that listens, for all channels of a process. It comes back by itself when the server does. */
export class Listener {
  readonly #url: string;
  readonly #onError: (error: unknown) => void;
  readonly #channels = new Map<string, Set<(payload: string) => void>>();
  #client: pg.Client | undefined;
  #connecting: Promise<void> | undefined;
  #closed = false;
  #hearing = false;

  constructor(url: string, onError: (error: unknown) => void) {
    this.#url = url;
    this.#onError = onError;
  }

  /** Whether the connection stands. */
  get hearing(): boolean {
    return this.#hearing;
  }

  /**
   * Calls `hear` with every payload that is sent to a channel. After a lost connection it is called once with an empty
   * payload: something may have been missed.
   */
  async listen(channel: string, hear: (payload: string) => void): Promise<() => void> {
    const hearers = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, hearers);
    hearers.add(hear);
    this.#connecting ??= this.#connect();
    await this.#connecting;
    if (hearers.size === 1) await this.#client?.query(`listen ${pg.escapeIdentifier(channel)}`);
    return () => hearers.delete(hear);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    for (let waitMs = RECONNECT_MS.first; !this.#closed; waitMs = Math.min(waitMs * 2, RECONNECT_MS.max)) {
      try {
        await this.#open();
        return;
      } catch (error) {
        this.#onError(error);
        await sleep(waitMs);
      }
    }
  }

  async #open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "meshforge listener",
      keepAlive: true,
    });
    client.on("error", () => undefined);
    client.on("notification", ({ channel, payload }) => this.#tell(channel, payload ?? ""));
    await client.connect();
    for (const channel of this.#channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    this.#client = client;
    this.#hearing = true;
    client.on("end", () => {
      this.#hearing = false;
      if (this.#closed) return;
      this.#connecting = this.#connect().then(() => {
        for (const channel of this.#channels.keys()) this.#tell(channel, "");
      });
    });
  }

  #tell(channel: string, payload: string): void {
    for (const hear of this.#channels.get(channel) ?? []) hear(payload);
  }
}
