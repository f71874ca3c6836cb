import type { FastifyInstance } from "fastify";

/** Which methods a path has, from the routes as they are registered: what a 405 says in `Allow` (RFC 9110, 15.5.6). */
export function allowedMethods(app: FastifyInstance): (url: string) => readonly string[] {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const name of [method].flat()) if (name !== "OPTIONS") known.methods.add(name);
    routes.set(url, known);
  });
  return (url) => {
    const path = url.split("?")[0] ?? "";
    const matching = [...routes].filter(
      ([route, { pattern }]) => route !== "*" && route !== "/*" && pattern.test(path),
    );
    return [...new Set(matching.flatMap(([, { methods }]) => [...methods]))].sort();
  };
}

const patternOf = (route: string): RegExp =>
  new RegExp(
    `^${route
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:[^/]+/g, "[^/]+")
      .replace(/\*/g, ".*")}$`,
  );
