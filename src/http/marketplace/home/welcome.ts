import type { Found } from "../../../core/catalog/snapshot.ts";

/** What the service is, in a sentence or two. */
export const ABOUT =
  "Each call is charged in MESH, run by a pool of workers made for its kind of work, and refunded when it goes wrong.";

/** What the address itself answers to programs. */
export const welcome = (sold: readonly Found[], baseUrl: string): Readonly<Record<string, unknown>> => ({
  name: "Meshforge",
  description: ABOUT,
  docs_url: `${baseUrl}/docs`,
  openapi_url: `${baseUrl}/openapi.json`,
  capabilities_url: `${baseUrl}/api/capabilities`,
  health_url: `${baseUrl}/healthz`,
  capabilities: sold.length,
  first_call: firstCall(baseUrl),
});

/** An account, and a call that it pays for, for a shell. */
export const firstCall = (baseUrl: string): readonly [account: string, call: string] => [
  `KEY=$(curl -sX POST ${baseUrl}/api/accounts | sed 's/.*"api_key":"\\([^"]*\\)".*/\\1/')`,
  `curl -s ${baseUrl}/api/call/safety-scrub -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"text":"my card is 4111 1111 1111 1111"}'`,
];
