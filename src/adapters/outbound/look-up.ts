import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";

/** A name server that is silent is asked a second time. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
/** What these names mean everywhere (RFC 6761, 6.3). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const LOOPBACK: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** The host is, or resolves to, an address to which nothing is sent. */
export class RefusedAddress extends Error {
  constructor() {
    super("The host is not at a public address.");
    this.name = "RefusedAddress";
  }
}

export const createResolver = (): Resolver => new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });

/**
 * Looks a name up, and throws `RefusedAddress` when any of its addresses is not allowed: such a name has no business
 * here.
 *
 * It asks the name servers itself. The operating system's look-up would hold one of the process's four threads for as
 * long as a stranger's name server likes to be silent, and would also answer from the hosts file and the search list,
 * which are about this network and not about the public one.
 */
export async function lookUpAllowed(
  resolver: Resolver,
  hostname: string,
  allowed: (address: string) => boolean,
): Promise<LookupAddress[]> {
  const addresses = await addressesOf(resolver, hostname);
  if (addresses.length === 0 || !addresses.every(({ address }) => allowed(address)))
    throw new RefusedAddress();
  return addresses;
}

/** `lookUpAllowed` as sockets take it. */
export const guardedLookup = (resolver: Resolver, allowed: (address: string) => boolean): LookupFunction =>
  asLookup((hostname) => lookUpAllowed(resolver, hostname, allowed));

/** A look-up that finds these addresses whatever the name: they were looked up and checked before. */
export const pinnedLookup = (addresses: LookupAddress[]): LookupFunction =>
  asLookup(() => Promise.resolve(addresses));

/** `find` gives at least one address. */
function asLookup(find: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => callback(error as Error, "", 0),
    );
  };
}

async function addressesOf(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  if (LOCALHOST.test(hostname)) return [...LOOPBACK];
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
  return [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
}
