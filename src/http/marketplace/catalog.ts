import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { unknownCapability } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { sendRendered } from "../server/rendered.ts";
import type { ZodTypes } from "../server/validation.ts";
import { CatalogPages } from "./catalog-pages.ts";
import { describe, problem } from "./describe.ts";
import * as shapes from "./shapes.ts";
import type { MarketplaceServices } from "./services.ts";

const query = z.object({
  category: z.string().optional(),
  kind: z.string().optional(),
  q: z.string().optional().describe("words that all occur in slug, name, description or category"),
  provider: z.string().optional(),
  reachable: z.string().optional(),
  after: z.string().optional().describe("the slug of the last entry seen"),
  limit: z.coerce.number().int().min(1).max(LIMITS.catalogPage).default(LIMITS.catalogPage),
});

/** What can be called, and at which price. */
export function catalogRoutes(app: FastifyInstance, { catalog, stats }: MarketplaceServices): void {
  const pages = new CatalogPages(catalog, stats);
  const routes = app.withTypeProvider<ZodTypes>();

  routes.get(
    "/api/capabilities",
    {
      schema: {
        ...describe({
          tag: "catalog",
          summary: "Discover capabilities",
          description: "In the order of their slugs. Counters and reliability are some seconds old.",
          answers: { 200: shapes.capabilityList, ...problem(400) },
          open: true,
        }),
        querystring: query,
      },
    },
    (request, reply) => sendRendered(request, reply, pages.page(request.query)),
  );

  routes.get(
    "/api/capabilities/:slug",
    {
      schema: {
        ...describe({
          tag: "catalog",
          summary: "One capability",
          answers: { 200: shapes.capability, ...problem(404) },
          open: true,
        }),
        params: z.object({ slug: z.string().describe("its name in the call's path") }),
      },
    },
    (request, reply) => {
      const { slug } = request.params;
      const entry = pages.entry(slug);
      if (entry === undefined) throw unknownCapability(slug, catalog.snapshot.names("marketplace"));
      return sendRendered(request, reply, entry);
    },
  );
}
