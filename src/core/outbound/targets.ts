import { isIP } from "node:net";
import { isAllowedAddress } from "./addresses.ts";

/** Where requests for callers may go. */
export type OutboundRule = {
  /** Plain http and loopback are accepted as well: for tests and local use, never in production. */
  readonly allowPrivate: boolean;
};

/** A URL as it is stored and sent to: long enough for any signed address, short enough for a row. */
export const MAX_URL_CHARS = 2_048;

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

/**
 * The URL that a text names, or why requests may not go there. What it refuses by its form is refused for good; a name
 * that looks public may still resolve to a private address, which is found out when it is looked up.
 */
export function parseTarget(
  text: string,
  { allowPrivate }: OutboundRule,
): URL | { readonly refused: string } {
  if (text.length > MAX_URL_CHARS) return { refused: `may have at most ${MAX_URL_CHARS} characters` };
  // The parser would drop, encode or reinterpret these; whoever sends them means something else.
  if (/[\s\p{Cc}\\]/u.test(text)) return { refused: "holds white space, a control character or a backslash" };
  const url = URL.parse(text);
  const scheme = allowPrivate ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  if (url === null || !scheme.test(text)) return { refused: "must be an https:// URL" };
  if (url.username !== "" || url.password !== "" || authority(text).includes("@")) {
    return { refused: "must not hold credentials" };
  }
  if (url.port === "0") return { refused: "must not name port 0" };
  return isAllowedHost(url.hostname, allowPrivate)
    ? url
    : { refused: "names a host to which nothing is sent: only public addresses are allowed" };
}

const authority = (text: string): string => text.split(/[/?#]/, 3)[2] ?? "";

/** Whether a URL's host, in the form that `URL` gives it, is allowed by what it says itself. */
function isAllowedHost(hostname: string, allowPrivate: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isAllowedAddress(host, { allowLoopback: allowPrivate });
  return isAllowedName(host.replace(/\.$/, ""), allowPrivate);
}

function isAllowedName(name: string, allowPrivate: boolean): boolean {
  const labels = name.split(".");
  if (name.length > MAX_NAME_CHARS || !labels.every((label) => LABEL.test(label))) return false;
  if (LOOPBACK_NAMES.some((suffix) => isUnder(name, suffix))) return allowPrivate;
  // A name of one part is completed by the resolver's search list: it means a neighbour.
  return labels.length > 1 && !INSIDE_NAMES.some((suffix) => isUnder(name, suffix));
}

const isUnder = (name: string, suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`);
