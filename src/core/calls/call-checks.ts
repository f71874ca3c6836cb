import { readAccount } from "../accounts/accounts.ts";
import type { Availability } from "../catalog/availability.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Found } from "../catalog/snapshot.ts";
import type { Db } from "../db.ts";
import { AppError, Refusal, unknownCapability } from "../errors.ts";
import type { OutboundRule } from "../outbound/targets.ts";
import { acceptWebhook } from "../webhooks/accept.ts";
import type { Authorisations, Authority } from "./authorise.ts";
import { type Caller, type CallRequest, type PoolSettlement, settlementOf } from "./call-request.ts";
import type { PreparedInput } from "./prepare.ts";
import { checkMaxPrice, type Refuse } from "./refusals.ts";

export type CallChecksOptions = {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly availability: Availability;
  readonly outbound: OutboundRule;
  readonly authorisations: Authorisations;
  readonly refuse: Refuse;
};

/** A call that nothing speaks against but what its key may spend. */
export type CheckedCall = {
  readonly capability: Capability;
  readonly input: PreparedInput;
  readonly settlement: PoolSettlement;
  /** What was read of its key, where that was asked already. */
  readonly looked: Authority | undefined;
};

/** The first call of an `Idempotency-Key`, which answers in the place of this one. */
export type Repeated = { readonly first: string };

/**
 * What is checked of a call before it is settled. The order is part of the contract: a replay answers whatever has become
 * of the capability, the input or the balance.
 */
export class CallChecks {
  readonly #options: CallChecksOptions;

  constructor(options: CallChecksOptions) {
    this.#options = options;
  }

  /** What a surface sells under a name, which can be told before anything else is read. Throws `unknown_capability`. */
  find({ surface, name }: Pick<CallRequest, "surface" | "name">): Found {
    const { catalog } = this.#options;
    const found = catalog.find(surface, name);
    if (found === undefined) throw unknownCapability(name, catalog.snapshot.names(surface));
    return found;
  }

  /** What this caller may call under a name. Throws `unknown_capability`, or `vip_required`. */
  async admit(wish: Pick<CallRequest, "surface" | "name"> & { readonly caller: Caller }): Promise<Found> {
    const found = this.find(wish);
    if (found.offer.access !== "vip") return found;
    const { tier } = await readAccount(this.#options.db, wish.caller.accountId);
    if (tier === "vip") return found;
    throw new AppError(
      "vip_required",
      `${wish.name} is for accounts of the VIP tier, which this one is not. Nothing was charged.`,
    );
  }

  /** Throws what refuses the call, uncharged (`AppError`, `Refusal`). */
  async check(request: CallRequest): Promise<CheckedCall | Repeated> {
    const { authorisations, availability, refuse } = this.#options;
    const { capability, offer } = await this.admit(request);
    const keyed = request.idempotencyKey !== null;
    const { accountId } = request.caller;
    const { sha256, input } = await request.body.prepare({ accountId, capability, keyed });
    const wish = settlementOf(request, capability, offer.price, sha256);
    const looked = keyed ? await authorisations.look(wish) : undefined;
    if (looked?.verdict === "replayed") return { first: looked.callId ?? "" };
    if (looked?.verdict === "mismatch" || looked?.verdict === "unauthorized")
      throw refuse(looked.verdict, wish);
    await availability.check(capability);
    if (input instanceof AppError || input instanceof Refusal) throw input;
    const settlement: PoolSettlement = {
      ...wish,
      input: input.json,
      input_sha256: input.sha256,
      ...warningsOf(request, input),
      webhook_url: await this.#webhookUrl(request),
    };
    checkMaxPrice(offer.price, request.maxPrice);
    return { capability, input, settlement, looked };
  }

  async #webhookUrl({ caller, webhook = null }: CallRequest): Promise<string | undefined> {
    if (webhook === null) return undefined;
    const { db, outbound } = this.#options;
    return await acceptWebhook(db, outbound, caller.accountId, webhook);
  }
}

/** What the caller is told of what it asked for; a row without any has no list. */
function warningsOf(
  { warnings = [] }: CallRequest,
  input: PreparedInput,
): { readonly warnings?: readonly string[] } {
  if (warnings.length === 0 && input.warnings.length === 0) return {};
  return { warnings: [...warnings, ...input.warnings] };
}
