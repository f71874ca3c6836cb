import type { TlsObservation } from "./probe/probe.ts";
import { type Check, notObserved, passed } from "./check.ts";

const DAY_MS = 86_400_000;
/** The time in which a certificate should have been renewed: half of what automated issuers leave. */
const WARN_DAYS = 30;
const GOOD_VERSIONS: ReadonlySet<string> = new Set(["TLSv1.2", "TLSv1.3"]);

const CHAIN_ERRORS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is signed by itself: nobody vouches for it.",
  SELF_SIGNED_CERT_IN_CHAIN: "The chain ends at a root that is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The certificate's issuer is missing from the chain: the server does not send its intermediate certificates.",
  UNABLE_TO_GET_ISSUER_CERT: "An issuer is missing from the chain.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The chain leads to no root that is trusted.",
  CERT_REVOKED: "The certificate is revoked.",
};
/** The verification ended at the validity, of which another check speaks. */
const TIME_ERRORS: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);

/** What the handshakes showed, as checks. */
export function tlsChecks(tls: TlsObservation, speaksOldTls: boolean | null, now: Date): Check[] {
  return [version(tls), oldVersions(speaksOldTls), chain(tls), name(tls), expiry(tls, now)];
}

/** Whether browsers accept the certificate. */
export const isTrusted = ({ chainError, nameMatches }: TlsObservation): boolean =>
  chainError === null && nameMatches;

function version({ version: negotiated }: TlsObservation): Check {
  const id = "tls-version";
  if (negotiated === null) return notObserved(id, "The handshake did not say its version.");
  const detail = `${negotiated} was negotiated.`;
  if (GOOD_VERSIONS.has(negotiated)) return passed(id, detail);
  return { id, status: "fail", severity: "high", detail: `${detail} RFC 8996 forbids it.` };
}

function oldVersions(spoken: boolean | null): Check {
  const id = "tls-old-versions";
  if (spoken === null) return notObserved(id, "Whether TLS 1.0 or 1.1 is accepted could not be found out.");
  if (!spoken) return passed(id, "TLS 1.1 and older are refused.");
  return {
    id,
    status: "fail",
    severity: "medium",
    detail: "TLS 1.1 or older is accepted; RFC 8996 forbids it.",
  };
}

function chain({ chainError }: TlsObservation): Check {
  const id = "certificate-chain";
  if (chainError === null) return passed(id, "The chain leads to a trusted root.");
  if (TIME_ERRORS.has(chainError)) {
    return notObserved(id, `The verification ended at the time of validity (${chainError}).`);
  }
  const why = CHAIN_ERRORS[chainError] ?? "The certificate was not accepted.";
  return { id, status: "fail", severity: "high", detail: `${why} (${chainError})` };
}

function name({ nameMatches, validity }: TlsObservation): Check {
  const id = "certificate-name";
  if (validity === null) return notObserved(id, "No certificate was shown.");
  if (nameMatches) return passed(id, "The certificate is for this host.");
  return { id, status: "fail", severity: "high", detail: "The certificate is not for this host." };
}

function expiry({ validity }: TlsObservation, now: Date): Check {
  const id = "certificate-expiry";
  if (validity === null) return notObserved(id, "No certificate was shown.");
  const { from, until } = validity;
  if (from > now) {
    return {
      id,
      status: "fail",
      severity: "high",
      detail: `The certificate is valid only from ${day(from)} on.`,
    };
  }
  const days = Math.floor((until.getTime() - now.getTime()) / DAY_MS);
  if (until <= now) {
    return { id, status: "fail", severity: "high", detail: `The certificate expired on ${day(until)}.` };
  }
  const detail = `The certificate expires on ${day(until)}, in ${days} ${days === 1 ? "day" : "days"}.`;
  return days < WARN_DAYS ? { id, status: "warn", severity: "medium", detail } : passed(id, detail);
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
