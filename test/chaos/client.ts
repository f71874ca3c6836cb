import { setTimeout as sleep } from "node:timers/promises";
import type { Book, Entry, Envelope, Intent, RunNode } from "./book.ts";
import type { Random } from "./random.ts";

/** An account that calls are made for. */
export type Account = { readonly handle: string; readonly key: string };

export type ClientOptions = {
  readonly name: string;
  readonly accounts: readonly [Account, ...Account[]];
  readonly baseUrls: readonly [string, ...string[]];
  readonly random: Random;
  readonly book: Book;
  /** When the client makes no further calls. */
  readonly stopped: AbortSignal;
};

/** Longer than any wait that the server grants, so that a connection that hangs is told from one that waits. */
const ANSWER_LIMIT_MS = 45_000;
const REPEAT_AFTER_MS = 200;
/** A client that gets no answer for so long, although the chaos is over, says so. */
const PATIENCE_MS = 120_000;
const LONGEST_NODE_MS = 400;
const LONGEST_PAUSE_MS = 150;
const LONGEST_HANG_UP_MS = 60;
/** Long enough that a worker's death meets it, short enough that a worker's life holds many. */
const LONG_MS = 3_000;
/** What test-brief is asked to take: at times more than it may. */
const BRIEF_MS = 900;
/** With less, a stubborn call waits for somebody in its process. */
const LEAST_MS = 1;

/** Few documents for many callers: they meet, and cross. */
const PURSES = 3;

/** Of a text whose result is packed in its row. */
const LONG_CHARS = 5_000;

type Answer = { readonly status: number; readonly replayed: boolean; readonly body: Envelope };

/** Makes calls one after another, follows some, takes some back, and writes down all that it is told. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { random, stopped, accounts } = options;
  for (let nth = 1; !stopped.aborted; nth++) {
    const account = random.pick(accounts);
    await new Conversation(
      options,
      account,
      options.book.open(plan(options.name, nth, account, random)),
    ).hold();
    await sleep(random.int(0, LONGEST_PAUSE_MS));
  }
}

function plan(name: string, nth: number, { handle }: Account, random: Random): Intent {
  const text = `${name} ${nth}`.padEnd(random.chance(0.2) ? LONG_CHARS : 0, " and more");
  const idempotencyKey = random.chance(0.6) ? `${name}-${nth}` : null;
  const common = { handle, idempotencyKey };
  if (random.chance(0.3)) {
    return {
      ...common,
      slug: "test-inline",
      body: { mode: random.pick(["echo", "echo", "echo", "throw", "fault"]), text },
    };
  }
  if (random.chance(0.25)) {
    const mode = random.pick(["add", "add", "add", "move", "move", "move", "throw", "fault"]);
    const nth = random.int(1, PURSES);
    const purse = `purse ${nth}`;
    const to = `purse ${(nth % PURSES) + 1}`;
    return { ...common, slug: "test-state", body: { mode, text, purse, ...(mode === "move" ? { to } : {}) } };
  }
  if (random.chance(0.15)) {
    const mode = random.pick(["graph", "graph", "graph", "fault"]);
    const body = { mode, text: `${name} ${nth}`, nodes: graph(mode, random), grow: random.int(0, 2) };
    return { ...common, slug: "test-run", body };
  }
  if (random.chance(0.04)) {
    return { ...common, slug: "test-cpu", body: { mode: random.pick(["echo", "echo", "exit"]), text } };
  }
  if (random.chance(0.05)) {
    const stubborn = random.chance(0.5);
    return {
      ...common,
      slug: "test-brief",
      body: { mode: "brief", text, stubborn, ms: random.int(0, BRIEF_MS) },
    };
  }
  if (random.chance(0.3))
    return { ...common, slug: "test-long", body: { mode: "sleep", text, ms: random.int(0, LONG_MS) } };
  const mode = random.pick(["echo", "echo", "echo", "sleep", "sleep", "stubborn", "throw", "fault", "wrong-output", "large", "steps"]); // prettier-ignore
  const lasts = mode === "sleep" || mode === "stubborn";
  const ms = random.int(LEAST_MS, 900);
  return { ...common, slug: "test-work", body: { mode, text, ...(lasts ? { ms } : {}) } };
}

/** Some nodes that need one another at random; with `fault`, the last of them fails. */
function graph(mode: string, random: Random): readonly RunNode[] {
  const names = Array.from({ length: random.int(mode === "fault" ? 1 : 0, 6) }, (_, nth) => `n${nth}`);
  return names.map((name, nth) => ({
    name,
    needs: names.slice(0, nth).filter(() => random.chance(0.4)),
    ms: random.int(0, LONGEST_NODE_MS),
    mode: mode === "fault" && nth === names.length - 1 ? "fault" : "note",
  }));
}

/** All that a client does about one call. */
class Conversation {
  readonly #options: ClientOptions;
  readonly #account: Account;
  readonly #entry: Entry;
  readonly #givesUpAt = performance.now() + PATIENCE_MS;

  constructor(options: ClientOptions, account: Account, entry: Entry) {
    this.#options = options;
    this.#account = account;
    this.#entry = entry;
  }

  async hold(): Promise<void> {
    const { random, book } = this.#options;
    await this.#ask();
    if (this.#entry.callId === null || this.#entry.shown !== null) return;
    const does = random.pick(["cancel", "follow", "leave", "look", "look", "look"]);
    if (does === "leave") return;
    if (does === "cancel") await this.#cancel();
    if (does === "follow") await this.#follow();
    const looked = await this.#insist("GET", `/api/calls/${this.#entry.callId}?wait=${random.int(0, 12)}`);
    if (looked !== null) book.note(this.#entry, looked.status, looked.body);
  }

  /** Asks for the call; with an Idempotency-Key again and again until there is an answer, and at times once more. */
  async #ask(): Promise<void> {
    const { random, book } = this.#options;
    const { slug, idempotencyKey } = this.#entry.intent;
    const path = `/api/call/${slug}`;
    if (idempotencyKey === null) {
      const answer = await this.#send("POST", path);
      if (answer !== null) book.note(this.#entry, answer.status, answer.body);
      return;
    }
    for (let asks = random.chance(0.1) ? 2 : 1; asks > 0; asks--) {
      const answer = await this.#insist("POST", path);
      if (answer === null) return;
      if (answer.replayed) book.counts.replayed++;
      book.note(this.#entry, answer.status, answer.body);
      // What was refused has left its key unused, and may be accepted when it is asked for again.
      if (this.#entry.refused !== null) return;
    }
  }

  async #cancel(): Promise<void> {
    const { book } = this.#options;
    this.#entry.cancelAsked = true;
    book.counts.cancels++;
    const answer = await this.#insist("POST", `/api/calls/${this.#entry.callId}/cancel`);
    if (answer !== null && answer.body.error !== "already_ended")
      book.note(this.#entry, answer.status, answer.body);
  }

  /** Follows the call's events to the last one, over as many streams as it takes; none may be missing or doubled. */
  async #follow(): Promise<void> {
    const { book } = this.#options;
    book.counts.streams++;
    for (let last = 0; performance.now() < this.#givesUpAt;) {
      const answer = await this.#stream(last);
      if (answer === "over") return;
      for (const { id, type, data } of answer) {
        if (id !== last + 1) book.fault(this.#entry, `event ${id} followed ${last}`);
        last = id;
        if (type === "completed" || type === "failed")
          book.note(this.#entry, 200, JSON.parse(data) as Envelope);
      }
      if (answer.length === 0) await sleep(REPEAT_AFTER_MS);
    }
    book.fault(this.#entry, "its events never ended");
  }

  async #stream(last: number): Promise<"over" | { id: number; type: string; data: string }[]> {
    let text = "";
    try {
      const response = await fetch(`${this.#base()}/api/calls/${this.#entry.callId}/events`, {
        headers: { authorization: `Bearer ${this.#account.key}`, "last-event-id": String(last) },
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      if (response.status === 204) return "over";
      if (response.status !== 200 || response.body === null) return [];
      const decoder = new TextDecoder();
      for await (const chunk of response.body) text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch {
      this.#options.book.counts.lost++;
    }
    // What follows the last blank line is the half of an event that the connection took with it.
    return text.split("\n\n").slice(0, -1).flatMap(parseEvent);
  }

  /** Sends a request that may be repeated until it is answered; null once it is clear that it never will be. */
  async #insist(method: "GET" | "POST", path: string): Promise<Answer | null> {
    const { book } = this.#options;
    while (performance.now() < this.#givesUpAt) {
      const answer = await this.#send(method, path);
      if (answer !== null) return answer;
      book.counts.repeated++;
      await sleep(REPEAT_AFTER_MS);
    }
    book.fault(this.#entry, `${method} ${path} was never answered`);
    return null;
  }

  /** One request; null when its connection broke, the client hung up, or the database was away. */
  async #send(method: "GET" | "POST", path: string): Promise<Answer | null> {
    const { random, book } = this.#options;
    const isCall = path.startsWith("/api/call/");
    const hangsUp = isCall && random.chance(0.04);
    book.counts.requests++;
    try {
      const response = await fetch(`${this.#base()}${path}`, {
        method,
        headers: this.#headers(isCall),
        signal: AbortSignal.timeout(hangsUp ? random.int(1, LONGEST_HANG_UP_MS) : ANSWER_LIMIT_MS),
        ...(isCall ? { body: JSON.stringify(this.#entry.intent.body) } : {}),
      });
      const body = (await response.json()) as Envelope;
      if (body.error === "unavailable") return null;
      return { status: response.status, replayed: response.headers.has("idempotent-replayed"), body };
    } catch {
      if (hangsUp) book.counts.hungUp++;
      else book.counts.lost++;
      return null;
    }
  }

  #headers(isCall: boolean): Record<string, string> {
    const { random } = this.#options;
    const { idempotencyKey } = this.#entry.intent;
    const prefer = random.pick([null, "respond-async", "wait=1", "wait=5"]);
    return {
      authorization: `Bearer ${this.#account.key}`,
      ...(isCall ? { "content-type": "application/json" } : {}),
      ...(isCall && prefer !== null ? { prefer } : {}),
      ...(isCall && idempotencyKey !== null ? { "idempotency-key": idempotencyKey } : {}),
    };
  }

  #base(): string {
    return this.#options.random.pick(this.#options.baseUrls);
  }
}

/** One event of a stream (WHATWG HTML, server-sent events); none for a comment. */
function parseEvent(block: string): { id: number; type: string; data: string }[] {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const [id, type, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
  return id === undefined || type === undefined || data === undefined ? [] : [{ id: Number(id), type, data }];
}
