import type { FastifyInstance } from "fastify";
import type { MarketplaceServices } from "./services.ts";

/** What a feature serves on the marketplace besides calls; the default export of its `routes.ts`. */
export type FeatureRoutes = {
  /** How the API document groups them. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly register: (app: FastifyInstance, services: MarketplaceServices) => void;
};

/** Declares a feature's routes. */
export const defineRoutes = (routes: FeatureRoutes): FeatureRoutes => routes;
