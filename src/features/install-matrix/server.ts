import type { AUTHS } from "./index.ts";

const NAME_CHARS = 48;
const URL_CHARS = 2_048;

/** What decides how the snippets are written, besides the server's name and address. */
export type Access = {
  /** Whether the snippets carry a bearer token, and whether it may be left out. */
  readonly auth: (typeof AUTHS)[number];
  /** Whether the connection is plain HTTP. */
  readonly plain: boolean;
};

/** Whether a snippet has a place for a key. */
export const hasKey = ({ auth }: Access): boolean => auth !== "none";

/** A remote MCP server, as the clients need to know it. */
export type Server = Access & {
  /** Of a-z, 0-9, underscore and hyphen; safe in every syntax. */
  readonly name: string;
  readonly url: string;
};

/** The server of an input; undefined when the address is no http or https URL, or longer than 2,048 characters. */
export function serverOf(
  address: string,
  name: string | undefined,
  auth: Access["auth"],
): Server | undefined {
  const url = address.length <= URL_CHARS ? URL.parse(address) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  return {
    name: slugOf(name ?? "") || slugOf(url.hostname) || "server",
    // The parser adds a slash to a bare origin; the owner gave the address without.
    url: url.href === `${address}/` ? address : url.href,
    plain: url.protocol === "http:",
    auth,
  };
}

/** A name in small letters, what is not of a-z, 0-9, underscore or hyphen becoming a hyphen; none at the ends. */
function slugOf(name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9_-]+/g, "-");
  return trimHyphens(trimHyphens(slug).slice(0, NAME_CHARS));
}

function trimHyphens(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === "-") start++;
  while (end > start && text[end - 1] === "-") end--;
  return text.slice(start, end);
}
