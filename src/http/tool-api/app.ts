import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Bodies } from "../server/bodies.ts";
import { createApp } from "../server/app.ts";
import { registerDocs } from "../server/docs.ts";

/** The tool API surface. No capability lists a tool on it yet, so it serves its health and its (empty) description. */
export async function createToolApiApp(
  apiUrl: string,
  options: { readonly logger: FastifyBaseLogger; readonly trustProxy: boolean; readonly bodies: Bodies },
): Promise<FastifyInstance> {
  const app = await createApp(options);
  await registerDocs(app, {
    title: "Meshforge tool API",
    description: "Tools priced in US dollars for each call. None is listed in this version.",
    url: apiUrl,
    tags: [],
  });
  return app;
}
