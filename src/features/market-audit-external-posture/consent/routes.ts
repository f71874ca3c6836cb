import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Consents } from "./consents.ts";
import { LIMITS } from "../../../core/limits.ts";
import { normalHostName } from "../../../core/outbound/host-names.ts";
import { parseTargetHost } from "../probe/target-host.ts";
import { callerOf, requireKey } from "../../../http/server/auth.ts";
import type { ZodTypes } from "../../../http/server/validation.ts";
import { describe, problem } from "../../../http/marketplace/describe.ts";
import type { MarketplaceServices } from "../../../http/marketplace/services.ts";
import { time } from "../../../http/marketplace/shapes.ts";

const HOUR_MS = 3_600_000;
const MAX_ASSET_CHARS = 255;

const wish = z.object({
  asset: z
    .string()
    .max(MAX_ASSET_CHARS)
    .describe(
      "A bare host name: no address, port, path or scheme. Internationalised names are kept in ASCII.",
    ),
  attest_ownership: z.literal(true).describe("The account owns the asset or speaks for its owner."),
  accept_terms: z.literal(true).describe("The asset may be looked at as the page /posture-probe describes."),
});
const consentShape = z.object({ consent_id: z.string(), asset: z.string(), expires_at: time });

/** Consents to audits. */
export function auditConsentRoutes(app: FastifyInstance, { db, authenticator }: MarketplaceServices): void {
  const consents = new Consents(db);

  app.withTypeProvider<ZodTypes>().post(
    "/api/audit/consent",
    {
      onRequest: requireKey(authenticator),
      config: {
        rateLimit: {
          max: LIMITS.consentsPerHour,
          timeWindow: HOUR_MS,
          // Counted for the account, which is known once its key is checked.
          hook: "preValidation",
          keyGenerator: (request) => callerOf(request).accountId,
        },
      },
      schema: {
        ...describe({
          tag: "audit",
          summary: "Consent to an audit of an asset",
          description:
            "The consent lets this account, and no other, audit exactly this asset for 24 hours. The answer gives the asset in the form in which the audit takes it: lower case, ASCII, without a final dot.",
          answers: { 201: consentShape, ...problem(400, 401, 413, 415, 429) },
        }),
        body: wish.extend({ asset: wish.shape.asset.transform(toNormalForm) }),
      },
    },
    async (request, reply) => {
      const { asset } = request.body;
      return await reply.code(201).send(await consents.give(callerOf(request).accountId, asset));
    },
  );
}

function toNormalForm(text: string, context: z.RefinementCtx): string {
  const name = normalHostName(text);
  const target = name === undefined ? undefined : parseTargetHost(name);
  if (target !== undefined && "host" in target) return target.host;
  // What the audit would refuse, nobody needs to consent to.
  const message =
    target === undefined
      ? "must be a bare host name such as www.example.com"
      : `is not audited: ${target.refused}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}
