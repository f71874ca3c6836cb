import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readPools } from "../../core/calls/pool-stats.ts";
import type { Db } from "../../core/db.ts";
import { AppError } from "../../core/errors.ts";
import { createApp } from "../server/app.ts";

/** A probe asks often and gives up soon; the database's own retries take longer. */
const READY_LIMIT_MS = 1_000;

/** The operators' surface: health, readiness, pools. Never public; with a token it asks for it. */
export async function createOpsApp(
  services: { readonly db: Db; readonly token: string | null },
  options: { readonly logger: FastifyBaseLogger },
): Promise<FastifyInstance> {
  const app = await createApp({ ...options, trustProxy: false });
  const { db, token } = services;
  app.addHook("onRequest", async (request) => {
    if (token === null || request.routeOptions.url === "/healthz") return;
    if (!isToken(request.headers.authorization, token)) {
      throw new AppError("unauthorized", "Send the operators' token as `Authorization: Bearer <token>`.");
    }
  });
  app.get("/readyz", async () => {
    const late = sleep(READY_LIMIT_MS, "late" as const, { ref: false });
    if ((await Promise.race([db.query("select 1"), late])) === "late") {
      throw new AppError("unavailable", `The database has not answered for ${READY_LIMIT_MS} ms.`);
    }
    return { ok: true };
  });
  app.get("/pools", async () => ({ pools: await readPools(db) }));
  return app;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
