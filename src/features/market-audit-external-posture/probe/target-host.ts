import { isIP } from "node:net";
import { isUnder } from "../../../core/outbound/host-names.ts";
import { parseTarget } from "../../../core/outbound/targets.ts";

/** What a bare name is written with; whoever sends anything else means something else. */
const NAME_CHARACTERS = /^[a-zA-Z0-9._-]+$/;
/** Zones that no public host lies in, and that a resolver may know all the same: RFC 6761 (test), RFC 3172, RFC 9476. */
const NOT_PUBLIC_ZONES = ["test", "arpa", "alt"];

/**
 * The host that a text names for a probe, in lower case, or why it is not probed. It takes public names in exactly the
 * form of a consent's `asset`: no address in any notation, no port, path or credentials, no final dot, no letter
 * outside ASCII. Where the name leads is found out when it is looked up.
 */
export function parseTargetHost(text: string): { readonly host: string } | { readonly refused: string } {
  if (!NAME_CHARACTERS.test(text)) {
    return { refused: "it must be a bare host name in ASCII, as the consent's answer gives it" };
  }
  const host = text.toLowerCase();
  if (host.endsWith(".")) return { refused: "it must be written without a final dot" };
  const target = parseTarget(`https://${host}/`, { allowPrivate: false });
  if ("refused" in target) return { refused: "it is no public host name" };
  // The URL parser has read addresses in all their notations; a name stays as it is.
  if (target.hostname !== host || isIP(host) !== 0) return { refused: "it is an address and no name" };
  if (NOT_PUBLIC_ZONES.some((zone) => isUnder(host, zone))) return { refused: "it is no public host name" };
  return { host };
}
