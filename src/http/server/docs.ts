import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { shownSchema } from "../../core/json-schema/shown.ts";
import { ANSWER_HEADERS, type AnswerHeader, answerHeaders, RATE_LIMIT } from "./answer-headers.ts";
import { withComponents } from "./components.ts";
import { type Rendered, rendered, sendRendered } from "./rendered.ts";

/** The name, with a hexagonal hole of a panel before it. */
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40" viewBox="0 0 190 40"><path d="M20 5l13 7.5v15L20 35 7 27.5v-15z" fill="none" stroke="#f5a524" stroke-width="4" stroke-linejoin="round"/><text x="44" y="28" font-family="sans-serif" font-size="24" font-weight="700" fill="#fff">Meshforge</text></svg>',
);

type Document = Readonly<Record<string, unknown>> & {
  readonly paths?: object;
  readonly components?: object;
};
type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Names each operation after its method and path (`get-api-calls-id`), for those who make clients from the document. */
function withIds(paths: Paths): Paths {
  return mapValues(paths, (operations, path) =>
    mapValues(operations, (operation, method) => ({
      operationId: `${method}${path.replace(/[^a-z0-9]+/gi, "-").replace(/-$/, "")}`,
      ...operation,
    })),
  );
}

const mapValues = <T, R>(
  record: Readonly<Record<string, T>>,
  to: (value: T, key: string) => R,
): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));

/** The schema of a route with what zod checks of it as OpenAPI 3.0 takes it. */
const inOpenApi = (schema: FastifySchema): FastifySchema =>
  mapValues(schema as Readonly<Record<string, unknown>>, (part) =>
    part instanceof z.ZodType ? openApiSchema(part, "input") : part,
  );

/** JSON Schema of a zod schema, as OpenAPI 3.0 takes it. */
export const openApiSchema = (schema: z.ZodType, io: "input" | "output"): Record<string, unknown> =>
  shownSchema(schema, "openapi-3.0", io);

/** The one style that Swagger UI writes into its page; a test in a browser tells when it has another. */
const UI_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

/** What the page may load, and whom it may ask: this origin, and the service by its own address. */
const policyOf = (url: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' ${UI_STYLE}; img-src 'self' data:; font-src 'self' data:; connect-src 'self' ${new URL(url).origin}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** The descriptions of the headers that some operation refers to. */
function headersIn(paths: Paths): Record<string, object> {
  const text = JSON.stringify(paths);
  const used = Object.entries(ANSWER_HEADERS).filter(([name]) => text.includes(`/headers/${name}"`));
  return Object.fromEntries(used);
}

/** The operations of a document with the headers of each of their answers. */
const withHeaders = (paths: Paths): Paths =>
  mapValues(paths, (operations, path) =>
    mapValues(operations, (operation, method) => {
      const { responses } = operation as { readonly responses?: Readonly<Record<string, object>> };
      if (responses === undefined) return operation;
      const own = (status: string): readonly AnswerHeader[] => {
        if (path.startsWith("/api/call/") && status.startsWith("20")) return CALL_HEADERS;
        if (method === "get" && status === "200") return ["ETag"];
        return status === "201" && "429" in responses ? RATE_LIMIT : [];
      };
      const answers = mapValues(responses, (answer, status) => ({
        ...answer,
        headers: answerHeaders(status, own(status)),
      }));
      return { ...operation, responses: answers };
    }),
  );

const CALL_HEADERS = ["Idempotent-Replayed", "Preference-Applied"] as const;

/** Serves `/openapi.json` (3.0.0) and the page at `/docs`, from the routes that are registered after this. */
export async function registerDocs(
  app: FastifyInstance,
  about: {
    readonly title: string;
    readonly description: string;
    readonly url: string;
    readonly tags: readonly { readonly name: string; readonly description: string }[];
    /** Paths that no single route stands for. They are the same as long as `version` is. */
    readonly extraPaths?: {
      readonly version: () => number;
      readonly paths: () => Readonly<Record<string, unknown>>;
    };
  },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.0.0",
      info: { title: about.title, description: about.description, version: "1.0.0" },
      servers: [{ url: about.url }],
      tags: [...about.tags],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "An API key: `mf_...`" },
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key" },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
    },
    transform: ({ schema, url }) => ({ schema: inOpenApi(schema), url }),
    transformObject: (route) => {
      const document = "openapiObject" in route ? route.openapiObject : {};
      return {
        ...document,
        paths: withIds((document.paths ?? {}) as unknown as Paths),
      };
    },
  });
  // What routes say never changes; the rest is made once for each version.
  let last: { readonly version: number; readonly document: Document; readonly answer: Rendered } | undefined;
  const current = (): { readonly document: Document; readonly answer: Rendered } => {
    const version = about.extraPaths?.version() ?? 0;
    if (last?.version === version) return last;
    const document = app.swagger() as Document;
    const paths = withHeaders({ ...document.paths, ...about.extraPaths?.paths() } as Paths);
    const components = { ...document.components, headers: headersIn(paths) };
    const whole = withComponents({ ...document, paths, components });
    last = { version, document: whole, answer: rendered(JSON.stringify(whole)) };
    return last;
  };
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    // Without a validator: the page asks nobody else for anything.
    uiConfig: {
      docExpansion: "list",
      tryItOutEnabled: true,
      persistAuthorization: true,
      validatorUrl: null,
    },
    transformSpecificationClone: false,
    transformSpecification: () => current().document,
    theme: { title: about.title },
    logo: { type: "image/svg+xml", content: LOGO, href: "/docs" },
    staticCSP: policyOf(about.url),
  });
  app.get("/openapi.json", { schema: { hide: true } }, (request, reply) =>
    sendRendered(request, reply, current().answer),
  );
}
