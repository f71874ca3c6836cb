import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import type { Db } from "../db.ts";
import { fresh } from "../fresh.ts";
import { ModelFault, type ModelFaultKind } from "./client.ts";
import type { ModelTier } from "./models.ts";

/** Questions that fail in a row before no more are sent. */
const THRESHOLD = 5;
/** How long none are sent then: at first, and at most. */
const OPEN_MS = { first: 2_000, max: 30_000 };
/** A probe whose process died counts for lost when its request's time and this are over. */
const PROBE_GRACE_MS = 2_000;
/** How long a request waits for the outcome of another one's probe. */
const PROBE_PATIENCE_MS = 2_000;
const PROBE_LOOK_MS = 100;
/** A request that was given less time than this, and less than usual, says nothing of the server when it fails to answer. */
const FAIR_MS = 10_000;
/** How old the answer may be that calls are refused by. */
const FRESH_MS = 500;

type Outcome = "good" | "bad" | "unusable" | "unknown";

/**
 * What a fault says of the server; one that answers at all is there. An answer that is none is the request's own
 * failure: whoever could provoke it would close the tier to everybody. A server that gives none to anybody shows in
 * the reliability of its capabilities.
 */
const OUTCOME: Readonly<Record<ModelFaultKind, Outcome>> = {
  refused: "good",
  busy: "good",
  garbled: "good",
  unusable: "unusable",
  failing: "bad",
  slow: "bad",
  open: "unknown",
  aborted: "unknown",
};

type Row = { readonly tier: string; readonly open_ms: number; readonly probing: boolean };

/** A request that wants to be sent. */
export type Passage = {
  readonly tier: ModelTier;
  /** What it may take. */
  readonly longestMs: number;
  /** What any request to this tier may take, where its call leaves the time. */
  readonly usualMs: number;
  /** Whether the same question was sent before, and failed. */
  readonly again: boolean;
  readonly signal: AbortSignal;
};

function outcomeOf(error: unknown, { longestMs, usualMs }: Passage): Outcome {
  if (!(error instanceof ModelFault)) return "unknown";
  const hurried = longestMs < Math.min(usualMs, FAIR_MS);
  return error.kind === "slow" && hurried ? "unknown" : OUTCOME[error.kind];
}

/**
 * The circuit breakers of the tiers, shared by all processes: a server that fails again and again is not asked for a
 * while, then by one request alone, whose outcome decides.
 */
export class Circuits {
  readonly #db: Db;
  readonly #read: () => Promise<ReadonlyMap<string, Row>>;

  constructor(db: Db) {
    this.#db = db;
    this.#read = fresh(FRESH_MS, async () => {
      const rows = await db.query<Row>(
        `select tier, (extract(epoch from open_until - clock_now()) * 1000)::integer as open_ms,
                coalesce(probe_until > clock_now(), false) as probing
           from model_circuits where open_until is not null`,
      );
      return new Map(rows.map((row) => [row.tier, row]));
    });
  }

  /** For how many milliseconds a tier is not asked; null where it is. As of half a second ago. */
  async openMs(tier: ModelTier): Promise<number | null> {
    const row = (await this.#read()).get(tier);
    return row === undefined || row.open_ms <= 0 ? null : row.open_ms;
  }

  /** The same for a call that is yet to be taken: it is not, either, while a probe is under way. */
  async closedToCallsMs(tier: ModelTier): Promise<number | null> {
    const row = (await this.#read()).get(tier);
    return (await this.openMs(tier)) ?? (row?.probing === true ? PROBE_PATIENCE_MS : null);
  }

  /** Sends a request where the circuit lets it, and notes how it went. Throws the fault `open` where it does not. */
  async through<T>(passage: Passage, send: () => Promise<T>): Promise<T> {
    const { tier } = passage;
    const request = randomUUID();
    const { clean, probe } = await this.#enter(passage, request);
    try {
      const answer = await send();
      if (!clean) await this.#note(tier, request, "good");
      return answer;
    } catch (error) {
      const outcome = outcomeOf(error, passage);
      // However often a question fails, it is one: what fails with it alone is not to close the tier to everybody.
      if (outcome === "bad" && passage.again && !probe) throw error;
      if (!clean || outcome === "bad" || outcome === "unusable") await this.#note(tier, request, outcome);
      throw error;
    }
  }

  async #enter(
    { tier, longestMs, signal }: Passage,
    request: string,
  ): Promise<{ readonly clean: boolean; readonly probe: boolean }> {
    const giveUpAt = performance.now() + PROBE_PATIENCE_MS;
    for (;;) {
      const [row] = await this.#db.query<{ verdict: string; wait_ms: number; clean: boolean }>(
        "select verdict, wait_ms, clean from enter_model_circuit($1, $2, $3)",
        [tier, request, Math.ceil(longestMs) + PROBE_GRACE_MS],
      );
      if (row === undefined) throw new Error("enter_model_circuit gave no verdict");
      const { verdict, wait_ms, clean } = row;
      if (verdict === "closed" || verdict === "probe") return { clean, probe: verdict === "probe" };
      if (verdict === "open" || performance.now() > giveUpAt) {
        throw new ModelFault("open", { retryAfterMs: wait_ms });
      }
      await sleep(PROBE_LOOK_MS, undefined, { signal }).catch(() => {
        throw new ModelFault("aborted");
      });
    }
  }

  async #note(tier: ModelTier, request: string, outcome: Outcome): Promise<void> {
    await this.#db.query("select note_model_circuit($1, $2, $3, $4, $5, $6)", [
      tier,
      request,
      outcome,
      THRESHOLD,
      OPEN_MS.first,
      OPEN_MS.max,
    ]);
  }
}
