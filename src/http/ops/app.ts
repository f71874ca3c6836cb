import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "../../core/calls/dispatch.ts";
import { readPools } from "../../core/calls/pool-stats.ts";
import type { Pool } from "../../core/catalog/define.ts";
import { findDegraded } from "../../core/degraded.ts";
import { AppError } from "../../core/errors.ts";
import { patiently } from "../../core/patience.ts";
import { readSchedules } from "../../core/schedule/schedules.ts";
import type { Bodies } from "../server/bodies.ts";
import { createApp } from "../server/app.ts";
import { isOwnHost } from "./hosts.ts";
import { queueBoard, WITHOUT_REDIS } from "./queue-board.ts";
import { createMetrics, type Metrics, type MetricsServices } from "./metrics.ts";

/** A probe asks often and gives up soon; the database's own retries take longer. */
const READY_LIMIT_MS = 1_000;

/** Within that, how long the artifact store may take. */
const STORE_LIMIT_MS = 700;
const STORE_IS_AWAY =
  "the artifact store takes nothing: calls that make files or large results fail and are refunded; see the log for why";

export type OpsServices = MetricsServices & {
  readonly token: string | null;
  /** Names by which this surface may be asked for, besides its address and this machine's own. */
  readonly allowedHosts: readonly string[];
  /** The pools that some capability needs. */
  readonly pools: () => ReadonlySet<Pool>;
  readonly dispatcher: Pick<Dispatcher, "awaySince" | "look">;
  readonly store: { takes(): Promise<boolean> };
  /** Whether calls are announced by queues of their own. */
  readonly queued: boolean;
  /** Whether this process is about to stop. */
  readonly stopping: () => boolean;
};

/**
 * The operators' surface: health, readiness, metrics, pools. Never public: it answers to its own names alone, so that no
 * page in an operator's browser reaches it, and with a token asks for it, but for its health.
 */
export async function createOpsApp(
  services: OpsServices,
  options: { readonly logger: FastifyBaseLogger; readonly bodies: Bodies },
): Promise<FastifyInstance> {
  const app = await createApp({ ...options, trustProxy: false, cors: false });
  const { db, token, allowedHosts } = services;
  app.addHook("onRequest", async (request) => {
    if (!isOwnHost(request.host, request.socket.localAddress, allowedHosts)) {
      throw new AppError("forbidden", "This is not a name of the operations surface; see OPS_ALLOWED_HOSTS.");
    }
    checkToken(request, token);
  });
  app.get("/readyz", async () => {
    if (services.stopping()) throw new AppError("unavailable", "This process is about to stop.");
    const late = sleep(READY_LIMIT_MS, "late" as const, { ref: false });
    const degraded = await Promise.race([findAllDegraded(services), late]);
    if (degraded === "late") {
      throw new AppError("unavailable", `The database has not answered for ${READY_LIMIT_MS} ms.`);
    }
    return { ok: true, degraded };
  });
  app.get("/pools", async () => {
    await services.counters.flushSoon();
    const [pools, schedules] = await Promise.all([readPools(db), readSchedules(db)]);
    return { pools, schedules };
  });
  let metrics: Promise<Metrics> | undefined;
  app.get("/metrics", async (_request, reply) => {
    // Loaded with the first scrape: a platform that nobody watches does without.
    const { contentType, text } = await (metrics ??= createMetrics(services));
    return await reply.header("content-type", contentType).send(await patiently(text()));
  });
  if (services.queued) queueBoard(app, services);
  return app;
}

async function findAllDegraded({ db, pools, dispatcher, store }: OpsServices): Promise<string[]> {
  const away = dispatcher.awaySince();
  const queue = away === null ? [] : [`Redis has been away since ${away.toISOString()}: ${WITHOUT_REDIS}`];
  const [found, takes] = await Promise.all([
    findDegraded(db, pools()),
    Promise.race([store.takes(), sleep(STORE_LIMIT_MS, false, { ref: false })]),
  ]);
  return [...found, ...queue, ...(takes ? [] : [STORE_IS_AWAY])];
}

/** What tells no more than that the process answers, or not. */
const OPEN = new Set(["/healthz", "/readyz"]);

function checkToken({ routeOptions, headers }: FastifyRequest, token: string | null): void {
  if (token === null || OPEN.has(routeOptions.url ?? "")) return;
  const given = Buffer.from(tokenOf(headers.authorization ?? ""));
  const expected = Buffer.from(token);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new AppError("unauthorized", "Send the operators' token as `Authorization: Bearer <token>`.");
}

/** What follows `Bearer`, or the password of what a browser sends that was asked for one. */
function tokenOf(authorization: string): string {
  const [scheme = "", value = ""] = authorization.split(" ", 2);
  if (scheme.toLowerCase() !== "basic") return scheme.toLowerCase() === "bearer" ? value : "";
  return Buffer.from(value, "base64")
    .toString()
    .replace(/^[^:]*:/, "");
}
