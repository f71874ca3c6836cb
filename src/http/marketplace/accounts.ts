import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { openAccount, readBalances } from "../../core/accounts/accounts.ts";
import { readStatement } from "../../core/accounts/statement.ts";
import { readLedger } from "../../core/ledger/ledger.ts";
import { callerOf, requireKey } from "../server/auth.ts";
import { page, pageLimit, shortName } from "../server/parse.ts";
import type { ZodTypes } from "../server/validation.ts";
import { describe, problem } from "./describe.ts";
import * as shapes from "./shapes.ts";
import type { MarketplaceServices } from "./services.ts";

const HOUR_MS = 3_600_000;

const newAccount = z.object({
  handle: z.string().optional().describe("3 to 40 of a-z, 0-9 and -; made up when absent"),
  name: shortName.optional(),
});
const ledgerQuery = z.object({
  currency: z.enum(["MESH", "USD"]).optional(),
  before: z.string().optional().describe("the id of the last entry seen"),
  limit: pageLimit,
});

/** Accounts: opening one, its balance, its ledger. */
export function accountRoutes(app: FastifyInstance, services: MarketplaceServices): void {
  const { db, authenticator, starter } = services;
  const onRequest = requireKey(authenticator);
  const routes = app.withTypeProvider<ZodTypes>();

  routes.post(
    "/api/accounts",
    {
      config: { rateLimit: { max: services.accountsPerHour, timeWindow: HOUR_MS } },
      schema: {
        ...describe({
          tag: "accounts",
          summary: "Open an account",
          description:
            "The API key is in this answer and in no other. The account starts with a grant in both currencies.",
          answers: { 201: shapes.openedAccount, ...problem(400, 409, 413, 415, 429) },
          open: true,
        }),
        body: newAccount,
      },
    },
    async (request, reply) => {
      const { account, apiKey } = await openAccount(db, request.body, starter);
      const { MESH } = await readBalances(db, account.id);
      return await reply
        .code(201)
        .header("cache-control", "no-store")
        .send({ account, api_key: apiKey, balance: MESH, currency: "MESH" });
    },
  );

  app.get(
    "/api/account",
    {
      onRequest,
      schema: describe({
        tag: "accounts",
        summary: "Balance, mind and recent ledger of the account, all of one moment",
        answers: { 200: shapes.accountView, ...problem(401) },
      }),
    },
    async (request) => {
      const { id, handle, name, tier, balances, mind, ledger, created } = await readStatement(
        db,
        callerOf(request).accountId,
      );
      return {
        id,
        handle,
        name,
        tier,
        balance: balances.MESH,
        currency: "MESH",
        balances,
        mind,
        ledger,
        created,
      };
    },
  );

  routes.get(
    "/api/account/ledger",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "accounts",
          summary: "The whole ledger, newest first",
          answers: { 200: shapes.ledgerPage, ...problem(400, 401) },
        }),
        querystring: ledgerQuery,
      },
    },
    async (request) => {
      const { limit, ...query } = request.query;
      const entries = await readLedger(db, callerOf(request).accountId, { ...query, limit: limit + 1 });
      return page("entries", entries, limit, "id");
    },
  );
}
