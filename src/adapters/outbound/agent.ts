import type { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { isAllowedAddress } from "../../core/outbound/addresses.ts";
import type { OutboundRule } from "../../core/outbound/targets.ts";
import { createResolver, guardedLookup, RefusedAddress } from "./look-up.ts";

/** What a request that goes out may take; each alone, and besides the caller's own limit for the whole. */
const CONNECT_TIMEOUT_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Connections that only ever lead to allowed addresses. An IP literal is checked before it is connected to, for it is
 * never looked up; a name is checked where it is looked up, so that the address that was checked is the address that is
 * used; and the connected socket is asked once more. One connection for each request: a kept one would outlive the
 * check, and hosts that are called once would fill the memory.
 */
export function createOutboundAgent(
  { allowPrivate }: OutboundRule,
  resolver: Resolver = createResolver(),
): Agent {
  const allowed = (address: string): boolean => isAllowedAddress(address, { allowLoopback: allowPrivate });
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: guardedLookup(resolver, allowed),
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
