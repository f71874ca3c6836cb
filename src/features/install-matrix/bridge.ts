import { AUTHORIZATION } from "./key.ts";
import { type Access, hasKey } from "./server.ts";

/** The words of npx that bridge a client without remote servers to the one at `url`: mcp-remote. */
export function bridgeArguments(access: Access, url: string): string[] {
  return [
    "-y",
    "mcp-remote",
    url,
    ...(access.plain ? ["--allow-http"] : []),
    // Without a space: on Windows the argument would be split there.
    ...(hasKey(access) ? ["--header", "Authorization:${AUTH_HEADER}"] : []),
  ];
}

/** The environment of that command: what its header takes from there. */
export const bridgeEnvironment = (access: Access): { env?: Record<string, string> } =>
  hasKey(access) ? { env: { AUTH_HEADER: AUTHORIZATION } } : {};
