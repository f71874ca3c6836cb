import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readPools } from "../../core/calls/pool-stats.ts";
import type { Pool } from "../../core/catalog/define.ts";
import type { Db } from "../../core/db.ts";
import { findDegraded } from "../../core/degraded.ts";
import { AppError } from "../../core/errors.ts";
import { readSchedules } from "../../core/schedule/schedules.ts";
import type { Bodies } from "../server/bodies.ts";
import { createApp } from "../server/app.ts";

/** A probe asks often and gives up soon; the database's own retries take longer. */
const READY_LIMIT_MS = 1_000;

export type OpsServices = {
  readonly db: Db;
  readonly token: string | null;
  /** The pools that some capability needs. */
  readonly pools: () => readonly Pool[];
};

/** The operators' surface: health, readiness, pools. Never public; with a token it asks for it. */
export async function createOpsApp(
  services: OpsServices,
  options: { readonly logger: FastifyBaseLogger; readonly bodies: Bodies },
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
    const degraded = await Promise.race([findDegraded(db, services.pools()), late]);
    if (degraded === "late") {
      throw new AppError("unavailable", `The database has not answered for ${READY_LIMIT_MS} ms.`);
    }
    return { ok: true, degraded };
  });
  app.get("/pools", async () => {
    const [pools, schedules] = await Promise.all([readPools(db), readSchedules(db)]);
    return { pools, schedules };
  });
  return app;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
