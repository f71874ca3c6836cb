import type { TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import type { TlsObservation } from "./probe.ts";

/** Versions and ciphers long broken are accepted and bad certificates too: the probe is there to report them. */
export const LENIENT_TLS = {
  rejectUnauthorized: false,
  minVersion: "TLSv1",
  ciphers: "DEFAULT@SECLEVEL=0",
  // A resumed session shows no certificate.
  maxCachedSessions: 0,
} as const satisfies buildConnector.BuildOptions;

/** What Node says of a certificate that is good but not for this host. */
const OTHER_NAME = "ERR_TLS_CERT_ALTNAME_INVALID";
/** What a peer that refuses a version answers with: an alert, an answer that is no TLS, or the end of the connection. */
const REFUSED_VERSION = /^(?:ERR_SSL_|EPROTO$|ECONNRESET$)/;

/** What the handshake of a connected socket showed of `host`. */
export function observeHandshake(socket: TLSSocket, host: string): TlsObservation {
  const certificate = socket.getPeerX509Certificate();
  const error = socket.authorized ? null : codeOf(socket.authorizationError);
  return {
    version: socket.getProtocol(),
    chainError: error === OTHER_NAME ? null : error,
    nameMatches: certificate?.checkHost(host) !== undefined,
    validity:
      certificate === undefined ? null : { from: certificate.validFromDate, until: certificate.validToDate },
  };
}

/** Connects with TLS 1.1 or older: whether the peer takes it, null where something else went wrong or it took too long. */
export function takesOldTls(
  connect: buildConnector.connector,
  target: buildConnector.Options,
  signal: AbortSignal,
): Promise<boolean | null> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
    connect(target, (...[error, socket]) => {
      socket?.destroy();
      if (error === null) resolve(true);
      else resolve(REFUSED_VERSION.test(codeOf(error)) ? false : null);
    });
  });
}

/** The code of a failure; Node gives a certificate's as a bare text. */
export function codeOf(error: unknown): string {
  if (typeof error === "string") return error;
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === "string") return code;
  return errors?.[0] === undefined ? "UNKNOWN" : codeOf(errors[0]);
}
