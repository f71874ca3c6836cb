import { sha256Hex } from "../canonical.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Pool } from "../catalog/define.ts";
import type { Surface } from "../catalog/offer.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import type { Price } from "../money.ts";
import type { CallBody } from "./prepare.ts";
import type { Settlement } from "./settle.ts";

/** Who pays. */
export type Caller = { readonly accountId: string; readonly keyId: string };

export type CallRequest = {
  readonly caller: Caller;
  readonly surface: Surface;
  /** What the capability is called there. */
  readonly name: string;
  readonly body: CallBody;
  readonly waitMs: number;
  readonly idempotencyKey: string | null;
  /** The most that the caller will pay, in the offer's units. */
  readonly maxPrice: number | null;
  /** Ends the wait, and nothing else. */
  readonly giveUp?: Promise<void>;
  /** Where the caller wants the end of the call posted. */
  readonly webhook?: string | null;
  /** What the door has to tell of the request. */
  readonly warnings?: readonly string[];
  /** What logs call the request. */
  readonly requestId?: string;
  /** Where it stands in a trace. */
  readonly traceparent?: string | null;
};

/** A call that is to be settled, in its pool. */
export type PoolSettlement = Settlement & { readonly pool: Pool };

/** The row of a call as far as it does not depend on the input. */
export function settlementOf(
  { caller, surface, idempotencyKey, requestId, traceparent }: CallRequest,
  capability: Capability,
  price: Price,
  bodySha256: string | null,
): Omit<PoolSettlement, "input" | "input_sha256"> {
  return {
    id: newId("call"),
    account_id: caller.accountId,
    key_id: caller.keyId,
    slug: capability.slug,
    version: capability.version,
    pool: capability.pool,
    priority: 0,
    price: price.amount,
    currency: price.currency,
    state: "queued",
    max_attempts: LIMITS.attempts,
    timeout_ms: capability.timeoutMs,
    deadline_ms: capability.deadlineMs,
    idempotency_key: idempotencyKey,
    request_id: requestId ?? null,
    trace_context: traceparent ?? null,
    request_sha256: bodySha256 === null ? null : sha256Hex(`${surface}\n${capability.slug}\n${bodySha256}`),
  };
}
