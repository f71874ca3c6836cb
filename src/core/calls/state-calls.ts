import { loadStateTool } from "../catalog/folders.ts";
import type { TransactionalDb } from "../db.ts";
import { invalidInput } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { ObserveEnd } from "../observe/call-end.ts";
import { beginSpan, inSpan } from "../observe/tracing.ts";
import { createStateSettle, type StateSettled } from "../state/settle-states.ts";
import type { StateOperation } from "../state/chain.ts";
import type { DocumentRef, StateTool } from "../state/state-tool.ts";
import type { Authorisations } from "./authorise.ts";
import type { CheckedCall } from "./call-checks.ts";
import type { Made } from "./made.ts";
import type { OutputStore } from "./outputs.ts";
import { valueOf } from "./prepare.ts";
import { checkAccepted, type Refuse } from "./refusals.ts";
import { aboutCall, endOf } from "./settle.ts";
import { settledView } from "./settled-view.ts";

export type StateCallsOptions = {
  readonly db: TransactionalDb;
  readonly outputs: OutputStore;
  readonly maxQueuedPerAccount: number;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
  readonly onCallEnd: ObserveEnd;
  readonly authorisations: Authorisations;
  readonly refuse: Refuse;
};

/** The executor of state tools: settling and deciding are one. */
export class StateCalls {
  readonly #options: StateCallsOptions;
  readonly #tools = new Map<string, Promise<StateTool>>();
  readonly #settle: (operation: StateOperation) => Promise<StateSettled>;

  constructor(options: StateCallsOptions) {
    const { db, outputs, maxQueuedPerAccount, onError } = options;
    this.#options = options;
    this.#settle = createStateSettle({
      db,
      outputs,
      maxQueuedPerAccount,
      onUnexpected: (error, { settlement: { slug, id } }) => onError(error, { slug, callId: id }),
    });
  }

  /** Settles a call with the change that it makes. Throws the `Refusal` of its rules, and what it cannot pay. */
  async start({ capability, input, settlement }: CheckedCall): Promise<Made> {
    const { authorisations, onCallEnd, refuse } = this.#options;
    const started = performance.now();
    const tool = await this.#tool(capability.folder);
    const value = valueOf(input);
    const refs = checked(tool.documents(value, { accountId: settlement.account_id }));
    const span = beginSpan("settle", { under: settlement.trace_context, about: aboutCall(settlement) });
    const settled = await inSpan(span, () =>
      this.#settle({ settlement, capability, tool, input: value, refs }),
    );
    if (settled.refusal !== null) throw settled.refusal;
    const { verdict, outcome } = settled;
    if (verdict.verdict === "replayed") return { callId: verdict.callId, replayed: true };
    checkAccepted(verdict, settlement, refuse);
    authorisations.note(settlement, verdict);
    if (outcome === null) return { callId: verdict.callId, replayed: false };
    const durationMs = Math.round(performance.now() - started);
    onCallEnd(endOf({ ...settlement, started_ms_ago: durationMs }, outcome.state));
    return { call: settledView(settlement, outcome, verdict, durationMs), replayed: false };
  }

  #tool(folder: string): Promise<StateTool> {
    let tool = this.#tools.get(folder);
    if (tool === undefined) this.#tools.set(folder, (tool = loadStateTool(folder)));
    return tool;
  }
}

/** A key is made from what the caller sent. */
const KEY = `This names something by 1 to ${LIMITS.documentKeyChars} characters, and by no more.`;
const KIND = /^[a-z][a-z0-9-]{0,47}$/;

/** Throws for documents that no rules may ask for: a mistake of the capability, told before anything is charged. */
function checked(refs: Readonly<Record<string, DocumentRef>>): Readonly<Record<string, DocumentRef>> {
  const all = Object.values(refs);
  if (all.length > LIMITS.documentsPerCall)
    throw new Error(`a call may need ${LIMITS.documentsPerCall} documents, and not ${all.length}`);
  for (const { kind, key } of all) {
    if (!KIND.test(kind) || !key.isWellFormed() || key.includes("\0"))
      throw new Error(`there is no document ${JSON.stringify({ kind, key })}`);
    if (key.length === 0 || key.length > LIMITS.documentKeyChars)
      throw invalidInput([{ path: "", message: KEY }]);
  }
  return refs;
}
