import type { FastifySchema } from "fastify";
import { z } from "zod";
import { openApiSchema } from "../server/docs.ts";
import { errorBody } from "./shapes.ts";

/** An answer that is no JSON. */
type OtherAnswer = { readonly mime: string; readonly schema: z.ZodType };
type Answers = Readonly<Record<number, z.ZodType | OtherAnswer | null>>;

/**
 * Describes a route for the OpenAPI document. What stands here checks nothing: a zod schema beside it, as `querystring`,
 * `params` or `body` of the route, does.
 */
export function describe(route: {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly answers: Answers;
  /** No key is needed. */
  readonly open?: boolean;
}): FastifySchema {
  const params = Object.entries(route.params ?? {});
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.open === true ? { security: [] } : {}),
    ...(params.length === 0
      ? {}
      : {
          params: {
            type: "object",
            properties: Object.fromEntries(
              params.map(([name, description]) => [name, { type: "string", description }]),
            ),
          },
        }),
    ...(route.query === undefined ? {} : { querystring: openApiSchema(route.query, "input") }),
    ...(route.headers === undefined ? {} : { headers: openApiSchema(route.headers, "input") }),
    response: Object.fromEntries(
      Object.entries(route.answers).map(([status, answer]) => [
        status,
        answerOf(MEANING[status] ?? "Done", answer),
      ]),
    ),
  };
}

function answerOf(description: string, answer: z.ZodType | OtherAnswer | null): object {
  if (answer === null) return { type: "null", description: "Nothing" };
  if (!("mime" in answer)) return { ...openApiSchema(answer, "output"), description };
  return { description, content: { [answer.mime]: { schema: openApiSchema(answer.schema, "output") } } };
}

/** Server-sent events. */
export const EVENTS: OtherAnswer = {
  mime: "text/event-stream",
  schema: z.string().describe("Lines of `id`, `event` and `data`, as the HTML standard has them."),
};

const MEANING: Readonly<Record<string, string>> = {
  200: "Done",
  201: "Made",
  202: "Under way",
  204: "Done; nothing to say",
  304: "Not changed",
  400: "The input is refused",
  401: "No valid key",
  402: "It is not paid for; nothing was charged",
  403: "This key may not do that",
  404: "There is no such thing for this caller",
  409: "It conflicts with what is",
  413: "The body is too large",
  415: "The body is not sent as application/json",
  429: "Too many",
  500: "A fault of this service",
  503: "Not available now",
  504: "The call took too long; refunded",
};

/** Error answers of these statuses. */
export const problem = (...statuses: readonly number[]): Answers =>
  Object.fromEntries(statuses.map((status) => [status, errorBody]));
