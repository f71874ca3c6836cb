import type { z } from "zod";
import type { Contract, JsonSchema } from "../../core/catalog/contract.ts";
import type { Offer } from "../../core/catalog/offer.ts";
import type { CatalogSnapshot, Found } from "../../core/catalog/snapshot.ts";
import { LIMITS } from "../../core/limits.ts";
import { callHeaders } from "./call-headers.ts";
import { callQuery } from "./call-query.ts";
import { openApiSchema } from "../server/docs.ts";
import * as shapes from "./shapes.ts";

/**
 * One OpenAPI path for each capability: for the service's own its input, its result and its first golden vector as the
 * example; for listings, `LIMITS.listedPaths` at most, where its schema is found.
 */
export function callPaths(catalog: CatalogSnapshot, baseUrl: string): Record<string, unknown> {
  const paths: Record<string, unknown> = {};
  let listed = 0;
  for (const found of catalog.sold("marketplace")) {
    const { openApi } = found.capability.contract;
    if (openApi === undefined && ++listed > LIMITS.listedPaths) continue;
    const post = openApi === undefined ? listedOperation(found, baseUrl) : operation(found, openApi);
    paths[`/api/call/${found.offer.name}`] = { post };
  }
  return paths;
}

/** What somebody else listed says in JSON Schema of 2020-12, which OpenAPI 3.0 does not know. */
function listedOperation({ capability, offer }: Found, baseUrl: string): Record<string, unknown> {
  const externalDocs = {
    description: "The schema of its input",
    url: `${baseUrl}/api/capabilities/${offer.name}`,
  };
  return {
    operationId: `call-${offer.name}`,
    tags: ["call"],
    summary: `${capability.name} (${offer.price.amount} MESH)`,
    description: capability.summary,
    externalDocs,
    requestBody: {
      content: {
        "application/json": { schema: { type: "object", additionalProperties: true, externalDocs } },
      },
    },
    responses: {
      200: answerOf("Done", LISTED_ANSWERS.done),
      202: answerOf("Waits or runs; look again at poll_url", LISTED_ANSWERS.pending),
      "4XX": answerOf("Refused, uncharged; or ended badly, and refunded", LISTED_ANSWERS.error),
      "5XX": answerOf(
        "Refused, uncharged; failed, and refunded; or made, but not to be read now: then it names the call",
        LISTED_ANSWERS.error,
      ),
    },
  };
}

function operation(
  { capability, offer }: Found,
  openApi: NonNullable<Contract["openApi"]>,
): Record<string, unknown> {
  const { contract } = capability;
  const name = typeName(capability.slug);
  const example = (capability.vectors.find(({ expect }) => expect !== undefined) ?? capability.vectors[0])
    ?.input;
  return {
    operationId: `call-${capability.slug}`,
    tags: ["call"],
    summary: `${capability.name} (${offer.price.amount} MESH)`,
    description: capability.summary,
    parameters: [...parameters(callHeaders, "header"), ...parameters(callQuery, "query")],
    requestBody: {
      required: contract.input["required"] !== undefined,
      content: {
        "application/json": {
          schema: { ...openApi.input, title: `${name}Input` },
          ...(example === undefined ? {} : { example }),
        },
      },
    },
    callbacks: CALLBACKS,
    responses: {
      200: answerOf("Done", succeededWith(openApi.output, name)),
      202: answer("Waits or runs; look again at poll_url", shapes.pending),
      ...answers(refusalsOf(offer), openApiSchema(shapes.errorBody, "output")),
      ...answers(FAILURES, openApiSchema(shapes.failed, "output")),
      ...answers(EITHER, EITHER_SCHEMA),
    },
  };
}

const REFUSALS = {
  400: "The input is refused; nothing was charged",
  401: "No valid key",
  402: "Too dear, past the key's limit, or not enough MESH; nothing was charged",
  413: "The body is too large; nothing was charged",
  415: "The body is not sent as application/json; nothing was charged",
  429: "Too many calls wait; nothing was charged",
};
const refusalsOf = ({ access }: Offer): Readonly<Record<number, string>> =>
  access === "vip" ? { ...REFUSALS, 403: "For VIPs alone; nothing was charged" } : REFUSALS;
const FAILURES = {
  409: "Cancelled meanwhile; refunded",
  502: "An upstream or a model failed; refunded",
  504: "It took too long; refunded",
};
/** What may stand for a refusal as well as for the end of a call. */
const EITHER = {
  422: "The input made it fail, and it is refunded; or the Idempotency-Key came with another request, uncharged",
  500: "It failed, and is refunded; or it was made, and cannot be read: then it says that its charge stands",
  503: "Not available now: refused, uncharged; failed, and refunded; or made, but not to be read now: then it names the call",
};
const EITHER_SCHEMA = {
  anyOf: [openApiSchema(shapes.failed, "output"), openApiSchema(shapes.errorBody, "output")],
};

const answers = (meanings: Readonly<Record<number, string>>, schema: JsonSchema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(meanings).map(([status, meaning]) => [status, answerOf(meaning, schema)]),
  );

/** `cam-forge` as a type is named. */
const typeName = (slug: string): string =>
  slug.replace(/(?:^|-)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** What the platform itself sends (OpenAPI 3.0.3, 4.7.18): the end of a call, to its webhook. */
const CALLBACKS = {
  end: {
    "{$request.query.webhook}": {
      post: {
        summary: "The call has ended",
        description:
          "Signed as Standard Webhooks describes: `webhook-id`, `webhook-timestamp`, `webhook-signature`. It may come more than once, with the same id.",
        security: [],
        requestBody: { content: { "application/json": { schema: openApiSchema(shapes.callEnd, "output") } } },
        responses: {
          "2XX": { description: "Taken" },
          "4XX": { description: "Tried again, as every answer but 2XX" },
        },
      },
    },
  },
};

const answer = (description: string, schema: z.ZodType): Record<string, unknown> =>
  answerOf(description, openApiSchema(schema, "output"));

const answerOf = (description: string, schema: JsonSchema): Record<string, unknown> => ({
  description,
  content: { "application/json": { schema } },
});

/** The envelope of a call that is done, whose result has this schema. */
function succeededWith(output: JsonSchema, name: string): JsonSchema {
  const schema = openApiSchema(shapes.succeeded, "output");
  const result = { ...output, title: `${name}Output` };
  const properties = { ...(schema["properties"] as JsonSchema), result };
  return { ...schema, title: `${name}Succeeded`, properties };
}

const LISTED_ANSWERS = {
  done: openApiSchema(shapes.succeeded, "output"),
  pending: openApiSchema(shapes.pending, "output"),
  error: openApiSchema(shapes.errorBody, "output"),
};

const HEADER_NAMES: Readonly<Record<string, string>> = {
  prefer: "Prefer",
  "idempotency-key": "Idempotency-Key",
  "max-price": "Max-Price",
};

function parameters(of: z.ZodType, place: "header" | "query"): Record<string, unknown>[] {
  const properties = openApiSchema(of, "input")["properties"] as Record<string, Record<string, unknown>>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name: HEADER_NAMES[name] ?? name,
    in: place,
    required: false,
    description,
    schema,
  }));
}
