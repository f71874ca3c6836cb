import type { LookupAddress } from "node:dns";
import type { Resolver } from "node:dns/promises";
import { InputFault } from "../../../core/errors.ts";
import { isAllowedAddress } from "../../../core/outbound/addresses.ts";
import { PROBE_AGENT, PROBE_LIMITS, PROBE_VERSION, type ProbeLimits, type Prober } from "./probe.ts";
import { createResolver, lookUpAllowed, RefusedAddress } from "../../../adapters/outbound/look-up.ts";
import { codeOf } from "./handshake.ts";
import { PinnedSession, refused } from "./session.ts";

const HTTPS_PORT = 443;

/**
 * What tests put in place of the Internet. Nothing else may: no setting leads here, and the service itself makes its
 * prober without it.
 */
export type ProbeWorld = {
  readonly resolver?: Resolver;
  readonly allowed?: (address: string) => boolean;
  readonly port?: number;
  readonly ca?: string;
  readonly limits?: Partial<ProbeLimits>;
};

const isPublic = (address: string): boolean => isAllowedAddress(address, { allowLoopback: false });

/** Makes a prober that names itself with an address where people find out what it is. */
export function createProber(contactUrl: string, world: ProbeWorld = {}): Prober {
  const { resolver = createResolver(), allowed = isPublic, port = HTTPS_PORT, ca } = world;
  const limits = { ...PROBE_LIMITS, ...world.limits };
  // As a header can hold it: ASCII, whatever the address is written with.
  const userAgent = `${PROBE_AGENT}/${PROBE_VERSION} (+${new URL(contactUrl).href})`;
  return {
    open: async (host, caller) => {
      const signal = AbortSignal.any([caller, AbortSignal.timeout(limits.totalMs)]);
      const addresses = await addressesOf(resolver, host, allowed, signal);
      return new PinnedSession({ host, port, addresses, allowed, ca, userAgent, limits, signal });
    },
  };
}

async function addressesOf(
  resolver: Resolver,
  host: string,
  allowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  try {
    return await Promise.race([lookUpAllowed(resolver, host, allowed), aborted(signal)]);
  } catch (error) {
    if (error instanceof RefusedAddress) throw refused();
    throw new InputFault(
      "host_unreachable",
      `The asset has no address that could be looked up (${codeOf(error)}).`,
    );
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
