import type { Resolver } from "node:dns/promises";
import { Agent } from "undici";
import { isAllowedAddress } from "../../core/outbound/addresses.ts";
import type { OutboundRule } from "../../core/outbound/targets.ts";
import { guardedConnector } from "./connector.ts";
import { createResolver, guardedLookup } from "./look-up.ts";

/** What a request that goes out may take; each alone, and besides the caller's own limit for the whole. */
const CONNECT_TIMEOUT_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Connections that only ever lead to allowed addresses: see `guardedConnector`. One connection for each request: a kept
 * one would outlive the check, and hosts that are called once would fill the memory.
 */
export function createOutboundAgent(
  { allowPrivate }: OutboundRule,
  resolver: Resolver = createResolver(),
): Agent {
  const allowed = (address: string): boolean => isAllowedAddress(address, { allowLoopback: allowPrivate });
  return new Agent({
    pipelining: 0,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: guardedConnector(allowed, {
      timeout: CONNECT_TIMEOUT_MS,
      lookup: guardedLookup(resolver, allowed),
    }),
  });
}
