import { showAmount } from "../money.ts";
import { type CallView, isFinal } from "./call.ts";

const POLL_AFTER_MS = { min: 500, unknown: 1_000, max: 10_000 };

/** How long a caller should leave before the next look at a call that waits or runs, by when it may be done. */
export const pollAfterMs = (etaMs: number | null): number =>
  Math.min(POLL_AFTER_MS.max, Math.max(POLL_AFTER_MS.min, etaMs ?? POLL_AFTER_MS.unknown));

/** Where a call is looked at and followed; `streamUrl` for an hour without a key. */
export type CallLinks = { readonly pollUrl: string; readonly eventsUrl: string; readonly streamUrl: string };

/** What the envelope of a call that has not ended says besides: when it may be done, null where nobody can tell. */
export type Outlook = { readonly linksOf: (callId: string) => CallLinks; readonly etaMs: number | null };

/** The envelope of a call without its result, as an object. */
export function envelope(call: CallView, { linksOf, etaMs }: Outlook): Record<string, unknown> {
  if (isFinal(call.state)) return endedEnvelope(call);
  const links = linksOf(call.id);
  return {
    ok: true,
    ...head(call),
    done: false,
    outcome: null,
    queue: { position: call.queue?.position ?? 0, eta_ms: etaMs },
    poll_url: links.pollUrl,
    events_url: links.eventsUrl,
    stream_url: links.streamUrl,
    poll_after_ms: pollAfterMs(etaMs),
    ...money(call),
    ...warnings(call),
  };
}

function endedEnvelope(call: CallView): Record<string, unknown> {
  const tail = { ...money(call), duration_ms: call.durationMs, ...warnings(call) };
  if (call.state === "succeeded") {
    const gone = call.expired ? { result: null, result_expired: true } : {};
    return { ok: true, ...head(call), done: true, outcome: call.state, ...tail, ...gone };
  }
  return {
    ok: false,
    error: call.errorCode,
    message: call.errorMessage,
    ...head(call),
    done: true,
    outcome: call.state,
    refunded: call.price > 0,
    ...tail,
  };
}

const head = ({ id, slug, state }: CallView) => ({ call_id: id, slug, status: state });

const warnings = ({ warnings: told }: CallView) => (told.length === 0 ? {} : { warnings: told });

const money = ({ price, currency, balance }: CallView) => ({
  price: showAmount(price, currency),
  currency,
  balance: showAmount(balance, currency),
});

/**
 * The envelope of a call that has ended, as JSON text. `output` is the result's own JSON text, put in as it is: it may be
 * megabytes.
 */
export const endedEnvelopeJson = (call: CallView, output: string | null): string =>
  withResult(endedEnvelope(call), output);

function withResult(shown: Record<string, unknown>, output: string | null): string {
  const text = JSON.stringify(shown);
  return output === null ? text : `${text.slice(0, -1)},"result":${output}}`;
}

/** An envelope's JSON text around the UTF-8 of a large result, which is neither decoded nor copied. */
export function aroundResult(envelopeText: string, output: Uint8Array): readonly Uint8Array[] {
  return [Buffer.from(`${envelopeText.slice(0, -1)},"result":`), output, Buffer.from("}")];
}
