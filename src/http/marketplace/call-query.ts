import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { MAX_URL_CHARS } from "../../core/outbound/targets.ts";
import { parse } from "../server/parse.ts";

/** The query of a call, for the API's description. */
export const callQuery = z.object({
  webhook: z
    .string()
    .max(MAX_URL_CHARS)
    .optional()
    .describe("an https URL at a public address, to which the end of the call is posted, signed"),
});

/** The `webhook` that a caller asks for, as it stands, or null. Throws `invalid_input` for several. */
export const webhookOf = (request: FastifyRequest): string | null =>
  parse(callQuery, request.query).webhook ?? null;
