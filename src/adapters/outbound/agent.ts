import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { isAllowedAddress } from "../../core/outbound/addresses.ts";
import type { OutboundRule } from "../../core/outbound/targets.ts";

/** What a request that goes out may take; each alone, and besides the caller's own limit for the whole. */
const CONNECT_TIMEOUT_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/** The host is, or resolves to, an address to which nothing is sent. */
export class RefusedAddress extends Error {
  constructor() {
    super("The host is not at a public address.");
    this.name = "RefusedAddress";
  }
}

/**
 * Connections that only ever lead to allowed addresses. An IP literal is checked before it is connected to, for it is
 * never looked up; a name is checked where it is looked up, so that the address that was checked is the address that is
 * used; and the connected socket is asked once more. One connection for each request: a kept one would outlive the
 * check, and hosts that are called once would fill the memory.
 */
export function createOutboundAgent({ allowPrivate }: OutboundRule): Agent {
  const allowed = (address: string): boolean => isAllowedAddress(address, { allowLoopback: allowPrivate });
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: guardedLookup(allowed),
  });
  return new Agent({
    pipelining: 0,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && !allowed(host)) {
        callback(new RefusedAddress(), null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error !== null) callback(error, null);
        else if (allowed(socket.remoteAddress ?? "")) callback(null, socket);
        else {
          socket.destroy();
          callback(new RefusedAddress(), null);
        }
      });
    },
  });
}

/** Looks a name up, and fails when any of its addresses is not allowed: such a name has no business here. */
function guardedLookup(allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupOptions & { all: true } = { ...options, all: true };
    lookup(hostname, all, (error, addresses: LookupAddress[]) => {
      const first = addresses?.[0];
      if (error !== null) callback(error, "", 0);
      else if (first === undefined || !addresses.every(({ address }) => allowed(address))) {
        callback(new RefusedAddress(), "", 0);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
