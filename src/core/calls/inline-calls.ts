import type { ObserveEnd } from "../observe/call-end.ts";
import { beginSpan, inSpan } from "../observe/tracing.ts";
import type { Authorisations } from "./authorise.ts";
import type { CheckedCall } from "./call-checks.ts";
import { InlineRuns, type InlineOptions } from "./inline-runs.ts";
import type { Made } from "./made.ts";
import type { OutputStore } from "./outputs.ts";
import { checkAccepted, type Refuse } from "./refusals.ts";
import { aboutCall, type Settlement, type Verdict } from "./settle.ts";
import { settledView } from "./settled-view.ts";

export type InlineCallsOptions = InlineOptions & {
  readonly outputs: OutputStore;
  readonly onCallEnd: ObserveEnd;
  readonly settle: (item: Settlement) => Promise<Verdict>;
  readonly authorisations: Authorisations;
  readonly refuse: Refuse;
};

/** The executor of the pool `inline`: authorises a call, runs it in this process, and settles it with its outcome. */
export class InlineCalls {
  readonly #options: InlineCallsOptions;
  readonly #runs: InlineRuns;

  constructor(options: InlineCallsOptions) {
    this.#options = options;
    this.#runs = new InlineRuns(options);
  }

  /** Runs a call here, or gives null where it is too much for this process. */
  async start(call: CheckedCall): Promise<Made | null> {
    const { capability, input, settlement } = call;
    if (!this.#runs.enter(settlement.account_id, capability, input)) return null;
    try {
      return await this.#startHere(call);
    } finally {
      this.#runs.leave(settlement.account_id, capability, input);
    }
  }

  /** Nothing of the capability runs before it is known that this key may pay for it. */
  async #startHere({ capability, input, settlement, looked }: CheckedCall): Promise<Made> {
    const { authorisations, outputs, refuse, settle } = this.#options;
    const { verdict, balance } = await authorisations.hold(settlement, looked);
    if (verdict === "replayed" || verdict === "mismatch")
      throw new Error(`a look at ${settlement.id} missed its key`);
    if (verdict !== "payable") throw refuse(verdict, settlement, balance);
    let settled: Verdict | undefined;
    try {
      const started = performance.now();
      const span = beginSpan("run", { under: settlement.trace_context, about: aboutCall(settlement) });
      const { id: callId, account_id: accountId, warnings = [] } = settlement;
      const run = { callId, accountId, capability, input, warnings };
      const outcome = await inSpan(span, () => this.#runs.run(run));
      const durationMs = Math.round(performance.now() - started);
      const columns = await outputs.columns(outcome);
      settled = await settle({ ...settlement, input: null, started_ms_ago: durationMs, ...columns });
      if (settled.verdict === "replayed") return { callId: settled.callId, replayed: true };
      checkAccepted(settled, settlement, refuse);
      return { call: settledView(settlement, outcome, settled, durationMs), replayed: false };
    } finally {
      authorisations.settled(settlement, settled);
    }
  }
}
