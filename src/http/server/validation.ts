import type { FastifyInstance, FastifyRequest, FastifyTypeProvider } from "fastify";
import { z } from "zod";
import { atOnce } from "./at-once.ts";
import { objectBody, parse } from "./parse.ts";

/** The types of what the zod schemas of routes let in, for `withTypeProvider`. */
export interface ZodTypes extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
}

/**
 * Lets the zod schemas of routes decide what comes in, before the handler and with the errors of the rest; a handler gets
 * what they make of it. Other schemas describe only.
 */
export function validateRoutes(app: FastifyInstance): void {
  app.setValidatorCompiler<unknown>(({ schema, httpPart }) => {
    if (!(schema instanceof z.ZodType)) return () => true;
    return (value: unknown) => {
      try {
        return { value: parse(schema, httpPart === "body" ? objectBody(value) : value) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  });
  app.addHook("preValidation", atOnce(fillIn));
}

/** The validator cannot tell a request without a body from the body `null`. */
function fillIn(request: FastifyRequest): void {
  const { schema } = request.routeOptions;
  if (schema?.body instanceof z.ZodType && request.body === undefined) request.body = {};
}
