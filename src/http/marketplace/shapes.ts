import { z } from "zod";
import { CALL_STATES } from "../../core/calls/call.ts";

/** The answers of the marketplace, as its OpenAPI document shows them. */

const currency = z.enum(["MESH", "USD"]);
const amount = z.union([z.number().int(), z.string()]).describe("integer in MESH, decimal string in USD");
export const time = z.iso.datetime();

export const errorBody = z
  .looseObject({
    error: z.string().describe("a stable code"),
    message: z.string().optional(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ title: "Error" });

const ledgerEntry = z
  .object({
    id: z.string(),
    kind: z.enum(["grant", "purchase", "charge", "refund", "earning", "fee", "adjustment"]),
    currency,
    delta: amount,
    balance_after: amount,
    call_id: z.string().nullable(),
    slug: z.string().nullable(),
    memo: z.string().nullable(),
    created: time,
  })
  .meta({ title: "LedgerEntry" });
export const ledgerPage = z
  .object({ entries: z.array(ledgerEntry), next_before: z.string().nullable() })
  .meta({ title: "LedgerPage" });

const account = {
  id: z.string(),
  handle: z.string(),
  name: z.string(),
  tier: z.enum(["free", "vip"]),
  created: time,
};
export const openedAccount = z
  .object({
    account: z.object(account),
    api_key: z.string().describe("shown this once"),
    balance: z.number().int(),
    currency,
  })
  .meta({ title: "OpenedAccount" });
export const accountView = z
  .object({
    ...account,
    balance: z.number().int(),
    currency,
    balances: z.object({ MESH: z.number().int(), USD: z.string() }),
    mind: z.number(),
    ledger: z.array(ledgerEntry),
  })
  .meta({ title: "Account" });

const key = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    created: time,
    expires_at: time.nullable(),
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
    spend_limit: z.object({ currency, amount, period: z.enum(["day", "month", "total"]) }).nullable(),
  })
  .meta({ title: "Key" });
export const keyList = z.object({ keys: z.array(key) }).meta({ title: "KeyList" });
export const createdKey = z
  .object({ key, api_key: z.string().describe("shown this once") })
  .meta({ title: "CreatedKey" });

const callHead = { call_id: z.string(), slug: z.string() };
const money = { price: amount, currency, balance: amount };
/** What a caller is told of its input; absent where nothing is. */
const told = { warnings: z.array(z.string()).optional().describe("unknown fields, values not taken") };

/** A call that is done, with what its capability gave. */
export const succeeded = z
  .object({
    ok: z.literal(true),
    ...callHead,
    status: z.literal("succeeded"),
    done: z.literal(true),
    outcome: z.literal("succeeded"),
    result: z.unknown(),
    ...money,
    ...told,
    duration_ms: z.number().int(),
  })
  .meta({ title: "CallSucceeded" });

export const pending = z
  .object({
    ok: z.literal(true),
    ...callHead,
    status: z.enum(["queued", "running"]),
    done: z.literal(false),
    outcome: z.null(),
    queue: z.object({
      position: z.number().int().describe("1 for the next, 0 for one that runs"),
      eta_ms: z.number().int().nullable().describe("when it may be done; null where nobody can tell"),
    }),
    poll_url: z.url(),
    events_url: z.url(),
    stream_url: z
      .url()
      .describe("the same events for an hour without a key, for `EventSource`; keep it secret"),
    poll_after_ms: z.number().int(),
    ...money,
    ...told,
  })
  .meta({ title: "CallPending" });

export const failed = z
  .object({
    ok: z.literal(false),
    error: z.string(),
    message: z.string(),
    ...callHead,
    status: z.enum(["failed", "cancelled", "expired"]),
    done: z.literal(true),
    outcome: z.enum(["failed", "cancelled", "expired"]),
    refunded: z.boolean(),
    ...money,
    ...told,
    duration_ms: z.number().int(),
  })
  .meta({ title: "CallFailed" });

/** Any call, whatever its state. */
export const anyCall = z
  .looseObject({
    ok: z.boolean(),
    ...callHead,
    status: z.enum(CALL_STATES),
    done: z.boolean(),
    outcome: z.enum(["succeeded", "failed", "cancelled", "expired"]).nullable(),
    ...money,
    ...told,
  })
  .meta({ title: "Call" });
export const callPage = z
  .object({ calls: z.array(anyCall), next_before: z.string().nullable() })
  .meta({ title: "CallPage" });

export const capability = z
  .object({
    slug: z.string(),
    name: z.string(),
    kind: z.string(),
    category: z.string(),
    description: z.string(),
    price: z.number().int(),
    currency: z.literal("MESH"),
    calls: z.number().int(),
    calls_external: z.number().int(),
    reliability: z.number().nullable(),
    rating: z.number().nullable(),
    pay_on_proof: z.boolean(),
    reachable: z.string(),
    reachable_at: z.string().nullable(),
    input_schema: z.looseObject({}),
    shop_grade: z.boolean(),
    shop_grade_reasons: z.record(z.string(), z.boolean()),
    provider: z.string(),
  })
  .meta({ title: "Capability" });
export const capabilityList = z
  .object({
    count: z.number().int(),
    next_after: z.string().nullable(),
    capabilities: z.array(capability),
  })
  .meta({ title: "CapabilityList" });

export const webhookSecret = z
  .object({ secret: z.string().describe("shown this once") })
  .meta({ title: "WebhookSecret" });
export const deliveryPage = z
  .object({
    deliveries: z.array(
      z.object({
        id: z.string().describe("the `webhook-id` of its messages"),
        call_id: z.string(),
        url: z.url(),
        attempts: z.number().int(),
        status: z.enum(["pending", "delivered", "failed"]),
        last_status: z.number().int().nullable().describe("null without an answer"),
        next_at: time.nullable(),
      }),
    ),
    next_before: z.string().nullable(),
  })
  .meta({ title: "DeliveryPage" });

/** What is posted to a call's webhook. */
export const callEnd = z
  .object({
    type: z.enum(["call.succeeded", "call.failed", "call.cancelled", "call.expired"]),
    timestamp: time,
    data: anyCall,
  })
  .meta({ title: "CallEnd" });
