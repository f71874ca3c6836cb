import type { IncomingMessage, ServerResponse } from "node:http";

/** What a host of the tests serves. */
export type Site = {
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies by path; every other path is not found. */
  readonly paths: Readonly<Record<string, string>>;
  readonly redirects?: Readonly<Record<string, string>>;
  /** `Set-Cookie` by path. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** Lets every origin read everything, with credentials. */
  readonly reflectsOrigin?: boolean;
  readonly notFound?: string;
};

/** A host with everything that the Observatory gives a bonus for, but its place in the preload list. */
export const goodHost: Site = {
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
    "strict-transport-security": "max-age=63072000; includeSubDomains",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    server: "nginx",
  },
  cookies: { "/": "id=1; Secure; HttpOnly; SameSite=Strict" },
  paths: { "/": '<!doctype html><title>Good</title><script src="/a.js" integrity="sha384-abc"></script>' },
  notFound: "<h1>Not found</h1>",
};

/** The handler of an HTTP server that serves a site. */
export function siteOf({
  headers,
  paths,
  redirects = {},
  cookies = {},
  reflectsOrigin,
  notFound = "",
}: Site) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? "";
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (cookies[path] !== undefined) response.setHeader("set-cookie", cookies[path]);
    if (reflectsOrigin === true && request.headers.origin !== undefined) {
      response.setHeader("access-control-allow-origin", request.headers.origin);
      response.setHeader("access-control-allow-credentials", "true");
    }
    if (redirects[path] !== undefined) response.writeHead(302, { location: redirects[path] }).end();
    else if (paths[path] !== undefined) response.end(Buffer.from(paths[path], "latin1"));
    else response.writeHead(404).end(notFound);
  };
}
