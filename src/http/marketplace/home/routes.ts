import type { FastifyInstance } from "fastify";
import { hasEtag } from "../../server/etag.ts";
import { type Rendered, rendered } from "../../server/rendered.ts";
import type { MarketplaceServices } from "../services.ts";
import { homePage } from "./page.ts";
import { welcome } from "./welcome.ts";
import { prefersHtml } from "./accept.ts";

type Home = {
  readonly version: number;
  readonly page: Rendered;
  readonly policy: string;
  readonly json: Rendered;
};

/** `/`: what this is and where to go, as a page for who asks for one, else as JSON. Made once for each catalog. */
export function homeRoute(app: FastifyInstance, { catalog, baseUrl }: MarketplaceServices): void {
  let last: Home | undefined;
  const current = (): Home => {
    if (last?.version === catalog.version) return last;
    const sold = catalog.snapshot.sold("marketplace");
    const { markup, policy } = homePage(sold, baseUrl);
    const json = rendered(JSON.stringify(welcome(sold, baseUrl)));
    last = { version: catalog.version, page: rendered(markup), policy, json };
    return last;
  };
  app.get("/", { schema: { hide: true } }, (request, reply) => {
    const { page, policy, json } = current();
    const asPage = prefersHtml(request.headers.accept);
    const { bytes, etag } = asPage ? page : json;
    void reply.headers({ vary: "Accept", etag, ...(asPage ? { "content-security-policy": policy } : {}) });
    if (hasEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply
      .header("content-type", `${asPage ? "text/html" : "application/json"}; charset=utf-8`)
      .send(bytes);
  });
}
