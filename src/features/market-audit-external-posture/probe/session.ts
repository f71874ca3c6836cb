import type { LookupAddress } from "node:dns";
import { TLSSocket } from "node:tls";
import { type buildConnector, type Dispatcher, Pool } from "undici";
import { InputFault } from "../../../core/errors.ts";
import type {
  ProbeAnswer,
  ProbeLimits,
  ProbeMiss,
  ProbeRequest,
  ProbeSession,
  TlsObservation,
} from "./probe.ts";
import { guardedConnector } from "../../../adapters/outbound/connector.ts";
import { pinnedLookup, RefusedAddress } from "../../../adapters/outbound/look-up.ts";
import { codeOf, LENIENT_TLS, observeHandshake, takesOldTls } from "./handshake.ts";

/** What a session is opened with. */
export type SessionTarget = {
  readonly host: string;
  readonly port: number;
  /** The addresses of the host: looked up once, and all checked. */
  readonly addresses: LookupAddress[];
  readonly allowed: (address: string) => boolean;
  /** Certificates that are trusted instead of Node's own. */
  readonly ca: string | undefined;
  readonly userAgent: string;
  readonly limits: ProbeLimits;
  /** Aborted when the probe's time is over, or nobody waits for it any more. */
  readonly signal: AbortSignal;
};

const OUT_OF_TIME: ProbeMiss = { missed: "time", code: "ETIMEDOUT" };

/** One look at one host, over connections to its pinned addresses alone. */
export class PinnedSession implements ProbeSession {
  readonly #target: SessionTarget;
  readonly #pool: Pool;
  #requestsLeft: number;
  #tls: TlsObservation | null = null;

  constructor(target: SessionTarget) {
    const { host, port, limits } = target;
    this.#target = target;
    this.#requestsLeft = limits.requests;
    const connect = this.#connector({});
    this.#pool = new Pool(`https://${host}:${port}`, {
      connections: limits.connections,
      pipelining: 1,
      headersTimeout: limits.requestMs,
      bodyTimeout: limits.requestMs,
      maxHeaderSize: limits.headerBytes,
      connect: (options, callback) => {
        connect(options, (...[error, socket]) => {
          if (socket instanceof TLSSocket) this.#tls ??= observeHandshake(socket, host);
          if (error === null) callback(null, socket);
          else callback(error, null);
        });
      },
    });
  }

  get tls(): TlsObservation | null {
    return this.#tls;
  }

  get spent(): boolean {
    return this.#target.signal.aborted || this.#requestsLeft === 0;
  }

  async request(request: ProbeRequest): Promise<ProbeAnswer | ProbeMiss> {
    const { signal, limits } = this.#target;
    if (signal.aborted) return OUT_OF_TIME;
    if (this.#requestsLeft === 0) return { missed: "requests", code: "EDQUOT" };
    this.#requestsLeft -= 1;
    const whole = AbortSignal.any([signal, AbortSignal.timeout(limits.requestMs)]);
    try {
      return await this.#ask(request, whole);
    } catch (error) {
      if (error instanceof RefusedAddress) throw refused();
      return whole.aborted ? OUT_OF_TIME : { missed: "connection", code: codeOf(error) };
    }
  }

  async speaksOldTls(): Promise<boolean | null> {
    if (this.spent) return null;
    this.#requestsLeft -= 1;
    const { host, port, signal } = this.#target;
    const connect = this.#connector({ maxVersion: "TLSv1.1" });
    const target = { hostname: host, port: String(port), protocol: "https:", servername: host };
    return await takesOldTls(connect, target, signal);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #connector(tls: buildConnector.BuildOptions): buildConnector.connector {
    const { addresses, allowed, ca, limits } = this.#target;
    const pinned = new Set(addresses.map(({ address }) => address));
    return guardedConnector((address) => pinned.has(address) && allowed(address), {
      ...LENIENT_TLS,
      ...tls,
      ...(ca === undefined ? {} : { ca }),
      timeout: limits.connectMs,
      lookup: pinnedLookup(addresses),
    });
  }

  async #ask({ path, headers, maxBytes }: ProbeRequest, signal: AbortSignal) {
    const { userAgent, limits } = this.#target;
    const answer = await this.#pool.request({
      path,
      method: "GET",
      signal,
      // Nothing is unpacked: what is read is what was sent, and no more than the limit.
      headers: { "user-agent": userAgent, accept: "*/*", "accept-encoding": "identity", ...headers },
    });
    const read = await readBody(
      answer.body,
      Math.min(maxBytes ?? limits.responseBytes, limits.responseBytes),
    );
    return { status: answer.statusCode, headers: valuesOf(answer.headers), ...read };
  }
}

/** The probe was led to an address that is not public. */
export const refused = (): InputFault =>
  new InputFault("host_refused", "The asset is at an address that is not public. Nothing was sent to it.");

/** The beginning of a body; what of it had come when its time was over counts. */
async function readBody(
  body: Dispatcher.ResponseData["body"],
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly complete: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let complete = true;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) {
        complete = false;
        break;
      }
    }
  } catch {
    // The host stopped in the middle, or was too slow: the report says that the body is a part.
    complete = false;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), complete };
}

function valuesOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
  );
}
