/** How the probe names itself to the hosts that it looks at, and in their `robots.txt`. */
export const PROBE_AGENT = "Meshforge-Posture-Probe";
export const PROBE_VERSION = "1.0";

/** What one probe may take, of us and of the host that it looks at. */
export type ProbeLimits = {
  /** HTTP requests and further TLS handshakes together. */
  readonly requests: number;
  /** The whole probe, from the look-up of the host. */
  readonly totalMs: number;
  /** One request, from waiting for a connection to the end of its body. */
  readonly requestMs: number;
  readonly connectMs: number;
  /** What is read of one body. */
  readonly responseBytes: number;
  readonly headerBytes: number;
  /** Connections at once. */
  readonly connections: number;
};

export const PROBE_LIMITS: ProbeLimits = {
  requests: 25,
  totalMs: 10_000,
  requestMs: 4_000,
  connectMs: 3_000,
  responseBytes: 1_048_576,
  headerBytes: 65_536,
  connections: 4,
};

/** What a TLS handshake with the host showed. */
export type TlsObservation = {
  /** As OpenSSL names it: `TLSv1.3`; null where it does not say. */
  readonly version: string | null;
  /** Why the certificate's chain was not accepted, as OpenSSL names it: `CERT_HAS_EXPIRED`; null where it was. */
  readonly chainError: string | null;
  /** Whether the certificate is for this host (RFC 9525). */
  readonly nameMatches: boolean;
  /** The time in which the certificate is valid; null without a certificate. */
  readonly validity: { readonly from: Date; readonly until: Date } | null;
};

export type ProbeRequest = {
  /** From the first slash, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default and most: `responseBytes`. */
  readonly maxBytes?: number;
};

export type ProbeAnswer = {
  readonly status: number;
  /** By name in lower case; every value that was sent. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Uint8Array;
  /** False where the body went on, or its end did not come in time. */
  readonly complete: boolean;
};

/** Why a request has no answer: its time or the probe's was over, no requests were left, or the connection failed. */
export type ProbeMiss = {
  readonly missed: "time" | "requests" | "connection";
  /** The code of the failure, such as `ECONNREFUSED`. */
  readonly code: string;
};

/** One look at one host: all of its requests go to the addresses that were checked when it was opened. */
export type ProbeSession = {
  /** What the first handshake showed; null before it, and when none succeeded. */
  readonly tls: TlsObservation | null;
  /** Whether the time or the requests of the probe are used up. */
  readonly spent: boolean;
  /** Gets a path. Redirects are not followed, cookies are not kept. */
  request(request: ProbeRequest): Promise<ProbeAnswer | ProbeMiss>;
  /** Whether the host also speaks TLS 1.1 or older; null where that could not be found out. */
  speaksOldTls(): Promise<boolean | null>;
  close(): Promise<void>;
};

/** Looks at hosts from outside. */
export type Prober = {
  /**
   * Looks the host up and checks its addresses; nothing is sent to it yet.
   * Throws `InputFault`: `host_refused` where an address is not public, `host_unreachable` where there is none.
   */
  open(host: string, signal: AbortSignal): Promise<ProbeSession>;
};
