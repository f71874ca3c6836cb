import type { ProbeAnswer } from "../probe/probe.ts";
import type { Result } from "../observatory-results.ts";
import { headerOf } from "../page.ts";

/** An origin that no site has a reason to allow (RFC 2606). */
export const FOREIGN_ORIGIN = "https://posture-probe.example";

/** Who may read the page from elsewhere, by an answer to a request from `FOREIGN_ORIGIN`. */
export function crossOriginResourceSharing({ headers }: ProbeAnswer): Result {
  const allowed = headerOf(headers, "access-control-allow-origin")?.trim().toLowerCase();
  if (allowed === undefined) return "cross-origin-resource-sharing-not-implemented";
  if (allowed === "*") return "cross-origin-resource-sharing-implemented-with-public-access";
  const credentials = headerOf(headers, "access-control-allow-credentials")?.trim().toLowerCase();
  return allowed === FOREIGN_ORIGIN && credentials === "true"
    ? "cross-origin-resource-sharing-implemented-with-universal-access"
    : "cross-origin-resource-sharing-implemented-with-restricted-access";
}
