import { isIP } from "node:net";
import { isAllowedAddress } from "./addresses.ts";
import { isHostName, isInsideName, isLoopbackName } from "./host-names.ts";

/** Where requests for callers may go. */
export type OutboundRule = {
  /** Plain http and loopback are accepted as well: for tests and local use, never in production. */
  readonly allowPrivate: boolean;
};

/** A URL as it is stored and sent to: long enough for any signed address, short enough for a row. */
export const MAX_URL_CHARS = 2_048;

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
  if (!isHostName(name)) return false;
  return isLoopbackName(name) ? allowPrivate : !isInsideName(name);
}
