import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { deleteLead, listLeads } from "./leads.ts";
import { listPages, pageUrl } from "./pages.ts";
import { callerOf, requireKey } from "../../../http/server/auth.ts";
import { page, pageLimit } from "../../../http/server/parse.ts";
import type { ZodTypes } from "../../../http/server/validation.ts";
import { describe, problem } from "../../../http/marketplace/describe.ts";
import { receptionPages } from "./pages/routes.ts";
import type { MarketplaceServices } from "../../../http/marketplace/services.ts";
import { defineRoutes } from "../../../http/marketplace/feature-routes.ts";
import { time } from "../../../http/marketplace/shapes.ts";

const pagesQuery = z.object({
  before: z.string().optional().describe("the id of the last page seen"),
  limit: pageLimit,
});
const leadsQuery = z.object({
  before: z.string().optional().describe("the id of the last lead seen"),
  limit: pageLimit,
});
const slug = "the slug of a page of the account";

const text = z.string().nullable();
const receptionistPage = z.object({
  receptionists: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      url: z.url(),
      vertical: z.string(),
      business: z.string(),
      area: text,
      leads: z.number().int().describe("how many it holds"),
      created: time,
    }),
  ),
  next_before: text,
});

const leadPage = z.object({
  leads: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      phone: text,
      email: text,
      message: text,
      answers: z.array(z.object({ question: z.string(), answer: z.string() })),
      created: time,
    }),
  ),
  next_before: text,
});

/** Reception pages: the pages themselves, and for the account that had them made what their visitors left. */
function receptionistRoutes(app: FastifyInstance, services: MarketplaceServices): void {
  const { db, authenticator, baseUrl } = services;
  const onRequest = requireKey(authenticator);
  const routes = app.withTypeProvider<ZodTypes>();
  void app.register(receptionPages, { db });

  routes.get(
    "/api/receptionists",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "receptionists",
          summary: "List the account's reception pages, newest first",
          answers: { 200: receptionistPage, ...problem(400, 401) },
        }),
        querystring: pagesQuery,
      },
    },
    async (request) => {
      const { before, limit } = request.query;
      const found = await listPages(db, callerOf(request).accountId, { before, limit: limit + 1 });
      const rows = found.map((own) => ({ ...own, url: pageUrl(baseUrl, own.slug) }));
      return page("receptionists", rows, limit, "id");
    },
  );

  routes.get(
    "/api/receptionists/:slug/leads",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "receptionists",
          summary: "List what visitors sent from a page, newest first",
          description:
            "Only for the account that had the page made; for everybody else there is no such page.",
          answers: { 200: leadPage, ...problem(400, 401, 404) },
        }),
        querystring: leadsQuery,
        params: z.object({ slug: z.string().describe(slug) }),
      },
    },
    async (request, reply) => {
      const { before, limit } = request.query;
      const { accountId } = callerOf(request);
      const leads = await listLeads(db, accountId, request.params.slug, { before, limit: limit + 1 });
      void reply.header("cache-control", "no-store");
      return page("leads", leads, limit, "id");
    },
  );

  routes.delete(
    "/api/receptionists/:slug/leads/:id",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "receptionists",
          summary: "Delete a lead, for good",
          answers: { 204: null, ...problem(401, 404) },
        }),
        params: z.object({ slug: z.string().describe(slug), id: z.string().describe("the id of the lead") }),
      },
    },
    async (request, reply) => {
      await deleteLead(db, callerOf(request).accountId, request.params);
      return await reply.code(204).send();
    },
  );
}

export default defineRoutes({
  tags: [
    { name: "receptionists", description: "Reception pages of the account, and what their visitors left." },
  ],
  register: receptionistRoutes,
});
