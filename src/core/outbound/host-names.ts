import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** What one of the parts of a host name is made of; the underscore occurs in names that work (RFC 2181, 11). */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME_CHARS = 253;

/** Names that mean this machine (RFC 6761, 6.3). */
const LOOPBACK_NAMES = ["localhost", "localdomain"];
/**
 * Names that only resolve inside a network: RFC 6762 (local), RFC 8375 (home.arpa), ICANN's reservation of internal,
 * RFC 6762 appendix G for the rest, RFC 7686 (onion), and what container networks and clouds use for their own.
 */
const INSIDE_NAMES = [
  "local",
  "home.arpa",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "onion",
  "svc",
  "metadata.goog",
  "metadata.tencentyun.com",
];

/** Letters, digits, the signs within a name, its dots (UTS 46 knows four), and the joiners of Persian and Indic names. */
const HOST_CHARACTERS = /^[\p{L}\p{M}\p{N}_.\-\u3002\uff0e\uff61\u200c\u200d]+$/u;

/** Whether a text, in lower case and without a last dot, has the form of a host name; an IPv4 address has it, too. */
export const isHostName = (name: string): boolean =>
  name.length <= MAX_NAME_CHARS && name.split(".").every((label) => LABEL.test(label));

/** Whether a name means this machine. */
export const isLoopbackName = (name: string): boolean => LOOPBACK_NAMES.some((zone) => isUnder(name, zone));

/** Whether a name only means something inside a network; one of a single part is completed by a resolver's search list. */
export const isInsideName = (name: string): boolean =>
  !name.includes(".") || INSIDE_NAMES.some((zone) => isUnder(name, zone));

/** Whether a name is this zone or lies in it. */
export const isUnder = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);

/**
 * The one form in which a bare host name is kept and compared: ASCII, as internationalised names are registered
 * (UTS 46), lower case, without the dot of the root. Undefined for everything else: addresses, ports, paths, URLs.
 */
export function normalHostName(text: string): string | undefined {
  if (!HOST_CHARACTERS.test(text)) return undefined;
  const name = domainToASCII(text).replace(/\.$/, "");
  return isHostName(name) && isIP(name) === 0 ? name : undefined;
}
