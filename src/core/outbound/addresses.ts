import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What the global Internet routes is handed out of this block alone (IANA IPv6 Global Unicast Address Assignments). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Addresses of cloud hosts' own services that lie among the public ones: Azure's WireServer. */
const INSIDE_A_CLOUD: ReadonlySet<string> = new Set(["168.63.129.16"]);

export type AddressRule = {
  /** Also 127.0.0.0/8 and ::1: for tests and local use. */
  readonly allowLoopback: boolean;
};

/**
 * Whether requests may go to an IP address: only what is reachable by everybody. Refused is all that the IANA
 * special-purpose registries (RFC 6890) list, and what carries another address inside: IPv4-mapped ones are judged by
 * that address; NAT64 (RFC 6052, 8215), 6to4 (RFC 3056) and Teredo (RFC 4380) are refused whole.
 */
export function isAllowedAddress(address: string, { allowLoopback }: AddressRule): boolean {
  // ipaddr.js by itself also reads shortened, octal and hexadecimal forms.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "loopback") return allowLoopback;
  if (range !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(IPV6_GLOBAL_UNICAST);
  return !INSIDE_A_CLOUD.has(parsed.toString());
}
