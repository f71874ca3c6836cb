import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { listEntries, readEntry } from "../../core/catalog/entries.ts";
import { parse } from "../server/parse.ts";
import { describe, problem } from "./describe.ts";
import * as shapes from "./shapes.ts";
import type { MarketplaceServices } from "./services.ts";

const filter = z.object({
  category: z.string().optional(),
  kind: z.string().optional(),
  q: z.string().optional().describe("words that all occur in slug, name, description or category"),
  provider: z.string().optional(),
  reachable: z.string().optional(),
});

/** What can be called, and at which price. */
export function catalogRoutes(app: FastifyInstance, { db, catalog }: MarketplaceServices): void {
  app.get(
    "/api/capabilities",
    {
      schema: describe({
        tag: "catalog",
        summary: "Discover capabilities",
        query: filter,
        answers: { 200: shapes.capabilityList, ...problem(400) },
        open: true,
      }),
    },
    async (request) => {
      const capabilities = await listEntries(db, catalog, parse(filter, request.query));
      return { count: capabilities.length, capabilities };
    },
  );

  app.get<{ Params: { slug: string } }>(
    "/api/capabilities/:slug",
    {
      schema: describe({
        tag: "catalog",
        summary: "One capability",
        params: { slug: "its name in the call's path" },
        answers: { 200: shapes.capability, ...problem(404) },
        open: true,
      }),
    },
    (request) => readEntry(db, catalog, request.params.slug),
  );
}
