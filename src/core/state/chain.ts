import { canonicalJson } from "../canonical.ts";
import { failure, type Outcome, outcomeOfError, outcomeOfOutput } from "../calls/execute.ts";
import type { Settlement } from "../calls/settle.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Effect } from "../catalog/define.ts";
import { InputFault, Refusal } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { seededRandom } from "../seeded-random.ts";
import type { Decision, Document, DocumentRef, StateTool } from "./state-tool.ts";

/** A call of a state tool that is to be settled. */
export type StateOperation = {
  readonly settlement: Settlement;
  readonly capability: Capability;
  readonly tool: StateTool;
  readonly input: unknown;
  /** The documents that it needs, by the names of its rules. */
  readonly refs: Readonly<Record<string, DocumentRef>>;
};

/** A document as it is stored; `text` is its body, null where it was removed. */
export type StoredDocument = {
  readonly accountId: string;
  readonly version: number;
  readonly text: string | null;
};

/** What a list is decided on: one snapshot of the database. */
export type Snapshot = {
  readonly now: Date;
  readonly documents: ReadonlyMap<string, StoredDocument>;
  /** What the accounts hold, by account and currency. */
  readonly balances: ReadonlyMap<string, number>;
};

/**
 * As which version a document was read: that of the snapshot, or, with a `writer`, the one that this operation of the
 * same list is about to write. The number alone would not tell them apart: while the list is on its way, somebody else
 * may write another version of that number.
 */
export type DocumentRead = {
  readonly ref: DocumentRef;
  readonly version: number;
  readonly writer: StateOperation | null;
};
/** `text` is canonical JSON; null removes the document. */
export type DocumentWrite = { readonly ref: DocumentRef; readonly text: string | null };

/** What was decided for an operation, and which documents it was decided on. */
export type Decided =
  | {
      readonly refusal: Refusal;
      /** Whether it read only what is stored, and nothing that this list is about to write. */
      readonly isOfStored: boolean;
    }
  | {
      readonly refusal: null;
      readonly outcome: Outcome;
      readonly reads: readonly DocumentRead[];
      readonly writes: readonly DocumentWrite[];
    };

export const documentId = ({ kind, key }: DocumentRef): string => `${kind}/${key}`;
export const balanceId = ({ account_id, currency }: Settlement): string => `${account_id} ${currency}`;

type Link = Document & {
  readonly version: number;
  /** Null where there is no such document. */
  readonly text: string | null;
  readonly writer: StateOperation | null;
};

const NOTHING = { accountId: "", version: 0, text: null, body: null, writer: null } as const;

/** Decides the operations of a list one after another, each on what the one before left. Pure: nothing is stored. */
export class Chain {
  readonly #snapshot: Snapshot;
  readonly #onUnexpected: (error: unknown, operation: StateOperation) => void;
  readonly #links = new Map<string, Link>();
  readonly #holds: Map<string, number>;

  constructor(snapshot: Snapshot, onUnexpected: (error: unknown, operation: StateOperation) => void) {
    this.#snapshot = snapshot;
    this.#onUnexpected = onUnexpected;
    this.#holds = new Map(snapshot.balances);
  }

  decide(operation: StateOperation): Decided {
    const links = Object.entries(operation.refs).map(([name, ref]) => ({ name, ref, link: this.#link(ref) }));
    const decision = this.#ask(operation, links);
    if (decision instanceof Refusal) {
      return { refusal: decision, isOfStored: links.every(({ link }) => link.writer === null) };
    }
    const reads = links.map(({ ref, link }) => ({ ref, version: link.version, writer: link.writer }));
    const made = this.#make(operation, decision);
    if (made.outcome.state === "succeeded" && this.#canPay(operation)) this.#apply(operation, made.writes);
    return { refusal: null, reads, ...made };
  }

  #ask(
    { tool, input, settlement }: StateOperation,
    links: readonly { readonly name: string; readonly link: Link }[],
  ): ReturnType<StateTool["decide"]> | { readonly thrown: unknown } {
    const documents = Object.fromEntries(
      links.map(({ name, link: { text, accountId, body } }) => [
        name,
        text === null ? null : { accountId, body },
      ]),
    );
    try {
      return tool.decide(documents, input, {
        callId: settlement.id,
        accountId: settlement.account_id,
        now: this.#snapshot.now,
        random: seededRandom(settlement.id),
      });
    } catch (thrown) {
      return { thrown };
    }
  }

  /** A mistake of the rules ends their own call, and no other. */
  #make(
    operation: StateOperation,
    decision:
      | Decision<unknown, Readonly<Record<string, unknown>>>
      | InputFault
      | { readonly thrown: unknown },
  ): { readonly outcome: Outcome; readonly writes: readonly DocumentWrite[] } {
    const onUnexpected = (error: unknown): void => this.#onUnexpected(error, operation);
    const failed = (error: unknown) => ({ outcome: outcomeOfError(error, onUnexpected), writes: [] });
    if (decision instanceof InputFault) return failed(decision);
    if ("thrown" in decision) return failed(decision.thrown);
    try {
      const outcome = outcomeOfOutput(operation.capability, decision.output, onUnexpected);
      if (outcome.state !== "succeeded") return { outcome, writes: [] };
      if (Buffer.byteLength(outcome.output) > LIMITS.stateOutputBytes) {
        return { outcome: failure("internal_error", `The output is larger than ${LIMITS.stateOutputBytes} bytes.`), writes: [] }; // prettier-ignore
      }
      const writes = this.#writes(operation, decision.writes ?? {});
      return { outcome: withEffects(outcome, decision.effects ?? []), writes };
    } catch (error) {
      return failed(error);
    }
  }

  /** The writes that change something. Throws for what cannot be stored. */
  #writes({ refs }: StateOperation, bodies: Readonly<Record<string, unknown>>): DocumentWrite[] {
    const writes = Object.entries(bodies).flatMap(([name, body]) => {
      const ref = refs[name];
      if (ref === undefined) throw new Error(`these rules asked for no document ${name}`);
      if (body === undefined) return [];
      const text = body === null ? null : canonicalJson(body);
      if (text !== null && Buffer.byteLength(text) > LIMITS.documentBytes)
        throw new Error(`the document ${documentId(ref)} would be larger than ${LIMITS.documentBytes} bytes`);
      return text === this.#link(ref).text ? [] : [{ ref, text }];
    });
    if (new Set(writes.map(({ ref }) => documentId(ref))).size < writes.length)
      throw new Error("these rules write one document under two names");
    return writes;
  }

  /** As far as the snapshot tells: what surely cannot be paid must not be what others are decided on. */
  #canPay({ settlement }: StateOperation): boolean {
    const id = balanceId(settlement);
    const left = (this.#holds.get(id) ?? 0) - settlement.price;
    if (left < 0) return false;
    this.#holds.set(id, left);
    return true;
  }

  #apply(operation: StateOperation, writes: readonly DocumentWrite[]): void {
    for (const { ref, text } of writes) {
      const before = this.#link(ref);
      this.#links.set(documentId(ref), {
        accountId: before.text === null ? operation.settlement.account_id : before.accountId,
        version: before.version + 1,
        text,
        body: text === null ? null : (JSON.parse(text) as unknown),
        writer: operation,
      });
    }
  }

  #link(ref: DocumentRef): Link {
    const id = documentId(ref);
    const known = this.#links.get(id);
    if (known !== undefined) return known;
    const stored = this.#snapshot.documents.get(id);
    const link =
      stored === undefined
        ? NOTHING
        : {
            ...stored,
            body: stored.text === null ? null : (JSON.parse(stored.text) as unknown),
            writer: null,
          };
    this.#links.set(id, link);
    return link;
  }
}

const withEffects = (outcome: Outcome, effects: readonly Effect[]): Outcome =>
  effects.length === 0 || outcome.state !== "succeeded" ? outcome : { ...outcome, effects };
