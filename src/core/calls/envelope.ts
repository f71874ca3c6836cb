import type { Capability } from "../catalog/define.ts";
import { type CallView, isFinal } from "./call.ts";

/** How long a caller should leave between two looks at a call that waits or runs. */
const POLL_AFTER_MS = { min: 500, max: 10_000 };

/** Where a call is looked at and followed. */
export type CallLinks = { readonly pollUrl: string; readonly eventsUrl: string };

/** Those of the marketplace, whose public address is `baseUrl`. */
export const callLinks =
  (baseUrl: string) =>
  (id: string): CallLinks => ({
    pollUrl: `${baseUrl}/api/calls/${id}`,
    eventsUrl: `${baseUrl}/api/calls/${id}/events`,
  });

/** An amount as the API shows it: MESH whole, USD as a decimal string of dollars. */
export function showAmount(amount: number, currency: "MESH" | "USD"): number | string {
  if (currency === "MESH") return amount;
  const sign = amount < 0 ? "-" : "";
  const micros = Math.abs(amount);
  const fraction = String(micros % 1_000_000).padStart(6, "0");
  const cents = fraction.slice(0, 2);
  const rest = fraction.slice(2).replace(/0+$/, "");
  return `${sign}${Math.floor(micros / 1_000_000)}.${cents}${rest}`;
}

/** The envelope of a call without its result, as an object. */
export function envelope(
  call: CallView,
  capability: Capability | undefined,
  links: CallLinks,
): Record<string, unknown> {
  const money = {
    price: showAmount(call.price, call.currency),
    currency: call.currency,
    balance: showAmount(call.balance, call.currency),
  };
  const head = { call_id: call.id, slug: call.slug, status: call.state };
  if (!isFinal(call.state)) {
    const etaMs = eta(call, capability);
    return {
      ok: true,
      ...head,
      done: false,
      outcome: null,
      queue: { position: call.queue?.position ?? 0, eta_ms: etaMs },
      poll_url: links.pollUrl,
      events_url: links.eventsUrl,
      poll_after_ms: Math.min(POLL_AFTER_MS.max, Math.max(POLL_AFTER_MS.min, etaMs ?? POLL_AFTER_MS.min)),
      ...money,
    };
  }
  const tail = { ...money, duration_ms: call.durationMs };
  if (call.state === "succeeded") return { ok: true, ...head, done: true, outcome: call.state, ...tail };
  return {
    ok: false,
    error: call.errorCode,
    message: call.errorMessage,
    ...head,
    done: true,
    outcome: call.state,
    refunded: call.price > 0,
    ...tail,
  };
}

/** The envelope as JSON text. `output` is the result's own JSON text, put in as it is: it may be megabytes. */
export function envelopeJson(
  call: CallView,
  capability: Capability | undefined,
  links: CallLinks,
  output: string | null,
): string {
  const text = JSON.stringify(envelope(call, capability, links));
  if (output === null) return text;
  return `${text.slice(0, -1)},"result":${output}}`;
}

/** When the call may be done, from what its capability typically takes; null while no worker serves its pool. */
function eta(call: CallView, capability: Capability | undefined): number | null {
  if (capability === undefined) return null;
  const { typicalMs } = capability.profile;
  if (call.queue === null) return typicalMs;
  if (call.queue.slots === 0) return null;
  return Math.ceil(call.queue.position / call.queue.slots) * typicalMs;
}
