const NAME_CHARS = 48;
const URL_CHARS = 2_048;
const KEY_PLACEHOLDER = "YOUR_API_KEY";

/** A remote MCP server, as the clients need to know it. */
export type Server = {
  /** Of a-z, 0-9, underscore and hyphen; safe in every syntax. */
  readonly name: string;
  readonly url: string;
  /** Whether the connection is plain HTTP. */
  readonly plain: boolean;
  /** What the Authorization header holds, with a placeholder for the key; undefined without authentication. */
  readonly authorization: string | undefined;
  /** The name of an environment variable for the key. */
  readonly keyVariable: string;
  /** Whether the header may be left out. */
  readonly keyIsOptional: boolean;
};

/** The server of an input; undefined when the address is no http or https URL, or longer than 2,048 characters. */
export function serverOf(
  address: string,
  name: string | undefined,
  auth: "none" | "bearer-optional" | "bearer-required",
): Server | undefined {
  const url = address.length <= URL_CHARS && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  const serverName = slugOf(name ?? "") || slugOf(url.hostname) || "server";
  return {
    name: serverName,
    // The parser adds a slash to a bare origin; the owner gave the address without.
    url: url.href === `${address}/` ? address : url.href,
    plain: url.protocol === "http:",
    authorization: auth === "none" ? undefined : `Bearer ${KEY_PLACEHOLDER}`,
    keyVariable: `MCP_${serverName.toUpperCase().replaceAll("-", "_")}_KEY`,
    keyIsOptional: auth === "bearer-optional",
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
