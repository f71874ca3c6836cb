import type { CallView } from "../calls/call.ts";
import { endedEnvelopeJson } from "../calls/envelope.ts";

/**
 * What is posted when a call has ended: `type` is `call.` and how it ended, `timestamp` when it did (ISO 8601), `data`
 * its envelope, with the result of one that succeeded. `output` is that result's JSON text, put in as it is.
 */
export function webhookMessage(call: CallView, output: string | null): string {
  const type = JSON.stringify(`call.${call.state}`);
  const timestamp = JSON.stringify(new Date(call.createdAt.getTime() + call.durationMs));
  return `{"type":${type},"timestamp":${timestamp},"data":${endedEnvelopeJson(call, output)}}`;
}
