import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import { type Remarks, unknownFields } from "../../core/catalog/remarks.ts";
import { atOnce } from "./at-once.ts";
import { type KnownFields, knownFields } from "../../core/json-schema/known-fields.ts";
import type { Schema } from "../../core/json-schema/vocabulary.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What is told of the request although it is answered: names in its query and body that nobody knows. */
    remarks: Remarks;
  }
}

type Known = { readonly query: KnownFields | undefined; readonly body: KnownFields | undefined };

const NO_QUERY: Schema = { properties: {} };

/**
 * Names in the answers of all documented routes, under `warnings`, what of a request's query and body none of them knows:
 * a misspelt name would else be passed over. Answers that are no JSON objects say nothing of it.
 */
export function addRemarks(app: FastifyInstance): void {
  const known = new WeakMap<FastifySchema, Known>();
  app.decorateRequest("remarks");
  const remark = (request: FastifyRequest): void => {
    const { schema } = request.routeOptions;
    if (schema?.tags === undefined) return;
    if (!known.has(schema)) known.set(schema, knownOf(schema));
    request.remarks = remarksOn(request, known.get(schema) as Known);
  };
  app.addHook(
    "onRequest",
    atOnce((request) => (request.remarks = [])),
  );
  app.addHook("preValidation", atOnce(remark));
  app.addHook("preSerialization", (request, reply, payload, done) => {
    const isTold = request.remarks.length > 0 && reply.statusCode < 400;
    const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
    done(null, isTold && isObject ? { ...payload, warnings: request.remarks } : payload);
  });
}

const remarksOn = ({ query, body }: FastifyRequest, known: Known): Remarks => [
  ...unknownFields(query, known.query, "query parameter"),
  ...unknownFields(body, known.body),
];

const knownOf = ({ querystring = NO_QUERY, body }: FastifySchema): Known => ({
  query: knownFields(inJsonSchema(querystring)),
  body: body === undefined ? undefined : knownFields(inJsonSchema(body)),
});

const inJsonSchema = (schema: unknown): Schema =>
  schema instanceof z.ZodType
    ? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })
    : (schema as Schema);
