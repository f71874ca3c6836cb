import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { createKey, listKeys, revokeKey, type SpendLimit } from "../../core/accounts/api-keys.ts";
import { usd } from "../../core/money.ts";

import { callerOf, requireKey, requireManagingKey } from "../server/auth.ts";
import { shortName } from "../server/parse.ts";
import type { ZodTypes } from "../server/validation.ts";
import { describe, problem } from "./describe.ts";
import * as shapes from "./shapes.ts";
import type { MarketplaceServices } from "./services.ts";

const MAX_AMOUNT = 9_000_000_000;

const period = z.enum(["day", "month", "total"]);
// Strict: with a misspelt limit or end passed over, a key could do more than it was made for.
const spendLimit = z.discriminatedUnion("currency", [
  z.strictObject({ currency: z.literal("MESH"), amount: z.number().int().min(0).max(MAX_AMOUNT), period }),
  z.strictObject({
    currency: z.literal("USD"),
    amount: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount such as "5.00"'),
    period,
  }),
]);
const newKey = z.strictObject({
  name: shortName.default("key"),
  expires_at: z.iso.datetime({ offset: true }).nullish().describe("ISO 8601, in the future"),
  // The type stands beside OpenAPI's "nullable", which says nothing without one.
  spend_limit: spendLimit.nullish().meta({ type: "object" }),
});

/** The keys of an account: several, each with its own name, end and spend limit. */
export function keyRoutes(app: FastifyInstance, { db, authenticator }: MarketplaceServices): void {
  const onRequest = requireManagingKey(authenticator);
  const routes = app.withTypeProvider<ZodTypes>();

  app.get(
    "/api/keys",
    {
      onRequest: requireKey(authenticator),
      schema: describe({
        tag: "keys",
        summary: "List the keys",
        answers: { 200: shapes.keyList, ...problem(401) },
      }),
    },
    async (request) => ({ keys: await listKeys(db, callerOf(request).accountId) }),
  );

  routes.post(
    "/api/keys",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "keys",
          summary: "Make a further key",
          description:
            "The key itself is in this answer and in no other. A refund gives a spend limit back. A key with a spend limit or an expiry makes and revokes none (403 `key_restricted`).",
          answers: { 201: shapes.createdKey, ...problem(400, 401, 403, 413, 415) },
        }),
        body: newKey.refine(inFuture, { path: ["expires_at"], error: "must lie in the future" }),
      },
    },
    async (request, reply) => {
      const wish = request.body;
      const { key, apiKey } = await createKey(db, callerOf(request), {
        name: wish.name,
        expiresAt: typeof wish.expires_at === "string" ? new Date(wish.expires_at) : null,
        spendLimit: inUnits(wish.spend_limit ?? null),
      });
      return await reply.code(201).send({ key, api_key: apiKey });
    },
  );

  routes.delete(
    "/api/keys/:id",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "keys",
          summary: "Revoke a key, for good",
          answers: { 204: null, ...problem(401, 403, 404) },
        }),
        params: z.object({ id: z.string().describe("the id of the key") }),
      },
    },
    async (request, reply) => {
      await revokeKey(db, callerOf(request), request.params.id);
      return await reply.code(204).send();
    },
  );
}

const inFuture = ({ expires_at }: z.output<typeof newKey>): boolean =>
  typeof expires_at !== "string" || Date.parse(expires_at) > Date.now();

/** A spend limit in the ledger's units. */
function inUnits(limit: z.output<typeof spendLimit> | null): SpendLimit | null {
  if (limit?.currency !== "USD") return limit;
  return { ...limit, amount: usd(limit.amount).amount };
}
