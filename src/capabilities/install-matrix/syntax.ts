import type { Server } from "./server.ts";

/** JSON as a person would keep it in a file. */
export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** `{ headers: { Authorization } }`, or nothing without authentication: to be spread into a client's settings. */
export const headers = ({ authorization }: Server): { headers?: { Authorization: string } } =>
  authorization === undefined ? {} : { headers: { Authorization: authorization } };

/** A command line; words that a POSIX shell would take apart are quoted (XCU 2.2.2). */
export const command = (...words: readonly string[]): string => words.map(shellWord).join(" ");

function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A string of TOML and of YAML: both take JSON's, and a parsed URL holds nothing that they see otherwise. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A value in the query of a deep link. */
export const inLink = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/** A value in the query of a deep link that wants Base64 (RFC 4648 section 4). */
export const inLinkAsBase64 = (value: unknown): string =>
  encodeURIComponent(Buffer.from(JSON.stringify(value)).toString("base64"));

/** The words of a command that bridges a client without remote servers to one: mcp-remote, run by npx. */
export function bridge({ url, plain, authorization }: Server): {
  command: string;
  args: string[];
  env?: Record<string, string>;
} {
  const args = ["-y", "mcp-remote", url, ...(plain ? ["--allow-http"] : [])];
  if (authorization === undefined) return { command: "npx", args };
  // Without a space: on Windows the argument would be split there.
  return {
    command: "npx",
    args: [...args, "--header", "Authorization:${AUTH_HEADER}"],
    env: { AUTH_HEADER: authorization },
  };
}
