import { batch } from "../batch.ts";
import type { Outcome } from "../calls/execute.ts";
import { type OutputStore, placeOutputs } from "../calls/outputs.ts";
import type { Settlement, Verdict } from "../calls/settle.ts";
import type { Db, TransactionalDb } from "../db.ts";
import type { Refusal } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { balanceId, Chain, type Decided, documentId, type StateOperation } from "./chain.ts";
import { documentsOf, readGround } from "./ground.ts";

/** What became of an operation. */
export type StateSettled =
  | { readonly refusal: Refusal }
  | {
      readonly refusal: null;
      readonly verdict: Verdict;
      /** How the call ended; null where its row tells: it was settled before. */
      readonly outcome: Outcome | null;
    };

export type StateSettlerOptions = {
  readonly db: TransactionalDb;
  readonly outputs: OutputStore;
  readonly maxQueuedPerAccount: number;
  /** What a mistake in the rules of one operation is told to. */
  readonly onUnexpected: (error: unknown, operation: StateOperation) => void;
};

type Settling = Extract<Decided, { refusal: null }> & { readonly operation: StateOperation };
type Row = {
  ord: number;
  verdict: Verdict["verdict"] | "conflict";
  call_id: string;
  balance: number | null;
  created_at: Date;
};

/**
 * Settles calls of state tools: what is decided on what was read is charged and written in one transaction, and only
 * if it still is what was read. Operations that come at the same time make a list, and are decided one after another.
 * Contention costs time, and nobody sees it.
 */
export function createStateSettle(
  options: StateSettlerOptions,
): (operation: StateOperation) => Promise<StateSettled> {
  return batch<StateOperation, StateSettled>({
    maxItems: LIMITS.settleBatch,
    maxInFlight: LIMITS.settleBatchesInFlight,
    run: (operations) => settleList(options, operations),
  });
}

async function settleList(
  options: StateSettlerOptions,
  operations: readonly StateOperation[],
): Promise<StateSettled[]> {
  const settled = new Map<StateOperation, StateSettled>();
  let open = inOrder(operations);
  for (let nth = 0; open.length > 0 && nth < LIMITS.decisionsBeforeLock; nth++) {
    open = await decideAndSettle(options, options.db, open, settled);
  }
  if (open.length > 0) await settleLocked(options, open, settled);
  return operations.map((operation) => settled.get(operation) ?? missing(operation));
}

function missing({ settlement }: StateOperation): never {
  throw new Error(`the list settled nothing for ${settlement.id}`);
}

/** As `settle_calls` goes through a list: an operation must be decided on what those before it there leave. */
function inOrder(operations: readonly StateOperation[]): StateOperation[] {
  return operations.toSorted((a, b) => {
    const [payerA, payerB] = [balanceId(a.settlement), balanceId(b.settlement)];
    return payerA < payerB ? -1 : Number(payerA > payerB);
  });
}

/** Those who were overtaken again and again let nobody overtake them: with the locks held, the first always settles. */
async function settleLocked(
  options: StateSettlerOptions,
  operations: readonly StateOperation[],
  settled: Map<StateOperation, StateSettled>,
): Promise<void> {
  await options.db.transaction(async (db) => {
    const refs = documentsOf(operations);
    await db.query("select lock_for_settling($1, $2, $3)", [
      [...new Set(operations.map(({ settlement }) => settlement.account_id))],
      refs.map(({ kind }) => kind),
      refs.map(({ key }) => key),
    ]);
    for (let open = operations; open.length > 0;) {
      const left = await decideAndSettle(options, db, open, settled);
      if (left.length === open.length) throw new Error("a list that holds its locks does not settle");
      open = left;
    }
  });
}

/** One round: reads, decides, settles. Gives the operations that have to be decided again. */
async function decideAndSettle(
  options: StateSettlerOptions,
  db: Pick<Db, "query">,
  operations: readonly StateOperation[],
  settled: Map<StateOperation, StateSettled>,
): Promise<StateOperation[]> {
  const ground = await readGround(db, operations);
  const chain = new Chain(ground, options.onUnexpected);
  const keys = new Set<string>();
  const settling: Settling[] = [];
  for (const operation of operations) {
    const { settlement } = operation;
    const fact = ground.facts.get(settlement.id);
    const before = fact?.done === true ? "accepted" : fact?.same === true ? "replayed" : "mismatch";
    if (fact?.done === true || typeof fact?.firstCall === "string") {
      const callId = fact.done ? settlement.id : (fact.firstCall ?? settlement.id);
      const verdict = { verdict: before, callId, balance: null, createdAt: ground.now } as const;
      settled.set(operation, { refusal: null, verdict, outcome: null });
    } else if (isFirstOfKey(settlement, keys)) {
      const decided = chain.decide(operation);
      if (decided.refusal === null) settling.push({ ...decided, operation });
      // One that rests on what is only about to be written is asked again when that is written.
      else if (decided.isOfStored) settled.set(operation, { refusal: decided.refusal });
    }
  }
  if (settling.length > 0) await settle(options, db, settling, settled);
  return operations.filter((operation) => !settled.has(operation));
}

/** A second request with the same Idempotency-Key is decided when the first is settled. */
function isFirstOfKey({ account_id, idempotency_key }: Settlement, keys: Set<string>): boolean {
  if (idempotency_key === null) return true;
  const key = `${account_id} ${idempotency_key}`;
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}

/** Settles what was decided; what was overtaken stays open. */
async function settle(
  { outputs, maxQueuedPerAccount }: StateSettlerOptions,
  db: Pick<Db, "query">,
  settling: readonly Settling[],
  settled: Map<StateOperation, StateSettled>,
): Promise<void> {
  const refs = documentsOf(settling.map(({ operation }) => operation));
  const items = await Promise.all(
    settling.map(async ({ operation: { settlement }, outcome }) => ({
      ...settlement,
      input: null,
      ...(await outputs.columns(outcome)),
    })),
  );
  const placed = placeDocuments(placeOutputs(items), settling, refs);
  const rows = await db.query<Row>(
    "select ord, verdict, call_id, balance, created_at from settle_calls($1, $2, $3, $4, $5)",
    [
      JSON.stringify(placed.items),
      placed.bytes,
      maxQueuedPerAccount,
      refs.map(({ kind }) => kind),
      refs.map(({ key }) => key),
    ],
    { repeatable: true },
  );
  for (const { ord, verdict, call_id, balance, created_at } of rows) {
    const item = settling[ord];
    if (item === undefined || verdict === "conflict" || verdict === "again") continue;
    const outcome = verdict === "accepted" ? item.outcome : null;
    const found = { verdict, callId: call_id, balance, createdAt: created_at };
    settled.set(item.operation, { refusal: null, verdict: found, outcome });
  }
}

/** Numbers the documents of a list as `settle_calls` takes them, and lays the new bodies beside the outputs. */
function placeDocuments(
  { items, outputs }: ReturnType<typeof placeOutputs>,
  settling: readonly Settling[],
  refs: ReturnType<typeof documentsOf>,
): { readonly items: readonly object[]; readonly bytes: Buffer } {
  const numbers = new Map(refs.map((ref, index) => [documentId(ref), index + 1]));
  const ords = new Map(settling.map(({ operation }, ord) => [operation, ord]));
  const bodies: Buffer[] = [outputs];
  let end = outputs.length;
  const place = (text: string | null): readonly [at: number | null, bytes: number | null] => {
    if (text === null) return [null, null];
    const body = Buffer.from(text);
    bodies.push(body);
    end += body.length;
    return [end - body.length, body.length];
  };
  const placed = settling.map(({ reads, writes }, index) => {
    const places = writes.map(({ text }) => place(text));
    return {
      ...items[index],
      read_documents: reads.map(({ ref }) => numbers.get(documentId(ref))),
      read_versions: reads.map(({ version, writer }) => (writer === null ? version : null)),
      read_writers: reads.map(({ writer }) => (writer === null ? null : ords.get(writer))),
      write_documents: writes.map(({ ref }) => numbers.get(documentId(ref))),
      write_at: places.map(([at]) => at),
      write_bytes: places.map(([, bytes]) => bytes),
    };
  });
  return { items: placed, bytes: Buffer.concat(bodies) };
}
