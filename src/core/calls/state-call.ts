import type { Capability } from "../catalog/capability.ts";
import { loadStateTool } from "../catalog/folders.ts";
import type { TransactionalDb } from "../db.ts";
import { invalidInput } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { beginSpan, inSpan } from "../observe/tracing.ts";
import { createStateSettle, type StateSettled } from "../state/settle-states.ts";
import type { StateOperation } from "../state/chain.ts";
import type { DocumentRef, StateTool } from "../state/state-tool.ts";
import type { OutputStore } from "./outputs.ts";
import { aboutCall, type Settlement } from "./settle.ts";

export type StateCallsOptions = {
  readonly db: TransactionalDb;
  readonly outputs: OutputStore;
  readonly maxQueuedPerAccount: number;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
};

/** A call of a state tool, checked and priced. */
type StateCall = {
  readonly capability: Capability;
  readonly input: unknown;
  readonly settlement: Settlement;
};

/** The executor of state tools: settling and deciding are one. */
export class StateCalls {
  readonly #tools = new Map<string, Promise<StateTool>>();
  readonly #settle: (operation: StateOperation) => Promise<StateSettled>;

  constructor({ db, outputs, maxQueuedPerAccount, onError }: StateCallsOptions) {
    this.#settle = createStateSettle({
      db,
      outputs,
      maxQueuedPerAccount,
      onUnexpected: (error, { settlement: { slug, id } }) => onError(error, { slug, callId: id }),
    });
  }

  /** Settles a call with the change that it makes, and says how long that took. */
  async settle({ capability, input, settlement }: StateCall): Promise<{
    readonly settled: StateSettled;
    readonly durationMs: number;
  }> {
    const started = performance.now();
    const tool = await this.#tool(capability.folder);
    const refs = checked(tool.documents(input, { accountId: settlement.account_id }));
    const span = beginSpan("settle", { under: settlement.trace_context, about: aboutCall(settlement) });
    const settled = await inSpan(span, () => this.#settle({ settlement, capability, tool, input, refs }));
    return { settled, durationMs: Math.round(performance.now() - started) };
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
