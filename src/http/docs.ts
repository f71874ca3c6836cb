import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

type Document = { readonly paths?: Readonly<Record<string, unknown>> };

/** Serves `/openapi.json` (3.0.0) and the page at `/docs`, from the routes that are registered after this. */
export async function registerDocs(
  app: FastifyInstance,
  about: {
    readonly title: string;
    readonly description: string;
    readonly url: string;
    readonly tags: readonly { readonly name: string; readonly description: string }[];
    /** Paths that no single route stands for. */
    readonly extraPaths?: Readonly<Record<string, unknown>>;
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
    transformObject: (route) => {
      const document: Document = "openapiObject" in route ? route.openapiObject : {};
      return { ...document, paths: { ...document.paths, ...about.extraPaths } } as never;
    },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    uiConfig: { docExpansion: "list" },
    staticCSP: true,
    // The service may well be served over plain HTTP.
    transformStaticCSP: (policy) => policy.replace(" upgrade-insecure-requests;", ""),
  });
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
}
