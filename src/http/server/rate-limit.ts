import rateLimit, { type FastifyRateLimitStore } from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { Db } from "../../core/db.ts";
import { AppError } from "../../core/errors.ts";
import { countHit } from "../../core/rate-windows.ts";

/** Registers rate limits, off until a route sets its own, counted in the database: several API processes count as one. */
export async function registerRateLimit(app: FastifyInstance, db: Db): Promise<void> {
  class SharedStore implements FastifyRateLimitStore {
    readonly #scope: string;

    constructor(options: { readonly scope?: string } = {}) {
      this.#scope = options.scope ?? "";
    }

    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      countHit(db, `${this.#scope}:${key}`, windowMs)
        .then(({ hits, leftMs }) => done(null, { current: hits, ttl: leftMs }))
        .catch((error: unknown) => done(error as Error));
    }

    child(options: object): SharedStore {
      const { routeInfo } = options as { routeInfo: { method?: string | string[]; url?: string } };
      return new SharedStore({ scope: `${String(routeInfo.method)} ${routeInfo.url ?? ""}` });
    }
  }
  await app.register(rateLimit, {
    global: false,
    store: SharedStore,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { after, max }) =>
      new AppError("rate_limited", `No more than ${max} of these in this time. Try again in ${after}.`),
  });
}
