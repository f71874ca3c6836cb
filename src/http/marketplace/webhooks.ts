import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { listDeliveries } from "../../core/webhooks/deliveries.ts";
import { rotateSecret } from "../../core/webhooks/secrets.ts";
import { callerOf, requireKey, requireManagingKey } from "../server/auth.ts";
import { page, pageLimit } from "../server/parse.ts";
import type { ZodTypes } from "../server/validation.ts";
import { describe, problem } from "./describe.ts";
import type { MarketplaceServices } from "./services.ts";
import * as shapes from "./shapes.ts";

const deliveriesQuery = z.object({
  before: z.string().optional().describe("the id of the last delivery seen"),
  limit: pageLimit,
});

/** Webhooks: the secret that signs them, and how their delivery goes. */
export function webhookRoutes(
  app: FastifyInstance,
  { db, authenticator, keyRing }: MarketplaceServices,
): void {
  const onRequest = requireKey(authenticator);
  const routes = app.withTypeProvider<ZodTypes>();

  app.post(
    "/api/webhooks/secret",
    {
      onRequest: requireManagingKey(authenticator),
      schema: describe({
        tag: "webhooks",
        summary: "Make the secret that signs webhooks, or a new one",
        description:
          "The secret is in this answer and in no other. One that is replaced signs along for 24 hours: `webhook-signature` then holds a signature of each, as Standard Webhooks describes. A key with a spend limit or an expiry makes none (403 `key_restricted`).",
        answers: { 201: shapes.webhookSecret, ...problem(401, 403) },
      }),
    },
    async (request, reply) => {
      const secret = await rotateSecret(db, keyRing, callerOf(request));
      return await reply.code(201).send({ secret });
    },
  );

  routes.get(
    "/api/webhooks/deliveries",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "webhooks",
          summary: "List the deliveries, newest call first",
          description:
            "Any 2xx answer delivers. Everything else is tried again, first after 5 seconds and then ever more slowly for at least a day, before the delivery is `failed`.",
          answers: { 200: shapes.deliveryPage, ...problem(400, 401) },
        }),
        querystring: deliveriesQuery,
      },
    },
    async (request) => {
      const { before, limit } = request.query;
      const { accountId } = callerOf(request);
      const deliveries = await listDeliveries(db, accountId, { before, limit: limit + 1 });
      return page("deliveries", deliveries, limit, "id");
    },
  );
}
