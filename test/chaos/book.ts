/** A node of a run that a client wants made. */
export type RunNode = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly ms: number;
  readonly mode: string;
};

/** One call that a client wants made, whatever it takes. Its text is like no other's, so its row can be told. */
export type Intent = {
  readonly handle: string;
  readonly slug:
    | "test-inline"
    | "test-work"
    | "test-long"
    | "test-brief"
    | "test-cpu"
    | "test-run"
    | "test-state";
  readonly body: {
    readonly mode: string;
    readonly text: string;
    readonly ms?: number;
    readonly nodes?: readonly RunNode[];
    readonly grow?: number;
    readonly stubborn?: boolean;
    /** Of a state tool: which documents it changes. */
    readonly purse?: string;
    readonly to?: string;
  };
  /** With one, the client asks again until it has an answer; without one it asks once. */
  readonly idempotencyKey: string | null;
};

/** What a server's answer says of a call. */
export type Envelope = {
  readonly call_id?: string;
  readonly done?: boolean;
  readonly outcome?: string | null;
  readonly error?: string;
  readonly refunded?: boolean;
  readonly price?: number;
  readonly result?: { readonly text?: string };
};

/** An end that a client was shown. */
export type Shown = { readonly outcome: string; readonly error: string | null; readonly text: string | null };

export type Entry = {
  readonly intent: Intent;
  /** The id that a client was given: from here on the call is acknowledged. */
  callId: string | null;
  shown: Shown | null;
  /** The code with which it was refused before it cost anything. */
  refused: string | null;
  cancelAsked: boolean;
};

const REFUSALS = new Set(["insufficient_funds", "spend_limit_reached", "queue_full"]);
/** What test-brief may run; it may also take longer by itself on a busy machine. */
const BRIEF_TIMEOUT_MS = 400;
const LARGE_CHARS = 200_000;

/** What the clients were told, and where it did not fit together. */
export class Book {
  readonly entries: Entry[] = [];
  readonly faults: string[] = [];
  readonly counts = { requests: 0, lost: 0, repeated: 0, replayed: 0, hungUp: 0, streams: 0, cancels: 0 };

  open(intent: Intent): Entry {
    const entry: Entry = { intent, callId: null, shown: null, refused: null, cancelAsked: false };
    this.entries.push(entry);
    return entry;
  }

  fault(entry: Entry, what: string): void {
    const { slug, body, idempotencyKey } = entry.intent;
    this.faults.push(
      `${entry.callId ?? "no id"} (${slug} ${body.mode}, key ${idempotencyKey ?? "none"}): ${what}`,
    );
  }

  /** Writes down an answer to a call, a look at it, or its cancellation. */
  note(entry: Entry, status: number, answer: Envelope): void {
    if (answer.call_id === undefined) {
      this.#noteRefusal(entry, status, answer);
      return;
    }
    if (entry.callId !== null && entry.callId !== answer.call_id)
      this.fault(entry, `became ${answer.call_id}`);
    if (entry.refused !== null) this.fault(entry, `was refused as ${entry.refused} and exists`);
    entry.callId ??= answer.call_id;
    if (answer.done === true) this.#noteEnd(entry, toShown(answer), answer);
    else if (entry.shown !== null) this.fault(entry, `was ${entry.shown.outcome} and is not done any more`);
  }

  #noteRefusal(entry: Entry, status: number, { error = "no code" }: Envelope): void {
    if (!REFUSALS.has(error)) this.fault(entry, `answered ${status} ${error}`);
    else if (entry.callId !== null) this.fault(entry, `was accepted and then refused as ${error}`);
    else entry.refused = error;
  }

  #noteEnd(entry: Entry, shown: Shown, { refunded = false, price = 0 }: Envelope): void {
    const before = entry.shown;
    entry.shown = shown;
    if (
      before !== null &&
      (before.outcome !== shown.outcome || before.error !== shown.error || before.text !== shown.text)
    ) {
      this.fault(entry, `was ${before.outcome} ${before.error} and became ${shown.outcome} ${shown.error}`);
    }
    if (refunded !== (shown.outcome !== "succeeded" && price > 0))
      this.fault(entry, `${shown.outcome}, refunded: ${refunded}`);
    const odd = oddity(entry, shown);
    if (odd !== null) this.fault(entry, odd);
  }
}

const toShown = ({ outcome, error, result }: Envelope): Shown => ({
  outcome: outcome ?? "none",
  error: error ?? null,
  text: result?.text ?? null,
});

/** Why this end cannot be what the call's own input and the chaos make of it; null when it can. */
export function oddity({ intent, cancelAsked }: Entry, { outcome, error, text }: Shown): string | null {
  const told = `${outcome} ${error}`;
  if (told === "cancelled cancelled") return cancelAsked ? null : "was cancelled and nobody asked for it";
  const given = intent.slug !== "test-inline" && intent.slug !== "test-state";
  // Its workers were killed too often, or it waited too long while they were away.
  if (given && (told === "failed attempts_exhausted" || told === "expired deadline_exceeded")) return null;
  // So did one of its nodes.
  if (intent.slug === "test-run" && told === "failed deadline_exceeded") return null;
  const due = dueEnd(intent);
  if (told !== due) return `ended as ${told} instead of ${due}`;
  // What a state tool gives tells how often its document was changed: the verdict looks at that.
  if (outcome !== "succeeded" || intent.slug === "test-state") return null;
  const right = intent.body.mode === "large" ? text?.length === LARGE_CHARS : text === intent.body.text;
  return right ? null : `gave the result ${JSON.stringify(text?.slice(0, 100))}`;
}

/** How a call ends when nothing is in its way. */
function dueEnd({ slug, body: { mode, ms = 0 } }: Intent): string {
  if (mode === "fault") return slug === "test-state" ? "failed told_to_fault" : "failed told_to_fail";
  if (mode === "throw" || mode === "wrong-output" || mode === "exit") return "failed internal_error";
  return slug === "test-brief" && ms > BRIEF_TIMEOUT_MS ? "expired deadline_exceeded" : "succeeded null";
}
