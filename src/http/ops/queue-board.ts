import type { FastifyInstance } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher, QueueLook } from "../../core/calls/dispatch.ts";
import { readPools } from "../../core/calls/pool-stats.ts";
import { POOLS, type Pool } from "../../core/catalog/define.ts";
import type { Db } from "../../core/db.ts";
import { html, type Html } from "../server/html.ts";

const PATH = "/admin/queues";
const REFRESH_S = 5;
/** How long Redis may take; the page says so where it takes longer. */
const LOOK_LIMIT_MS = 1_000;
const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem;max-width:70rem}table{border-collapse:collapse;margin:0 0 2rem}th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ccc}th:first-child,td:first-child{text-align:left}code{font-size:13px}";
/** The page loads nothing, and runs nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export type QueueBoardServices = {
  readonly db: Db;
  readonly dispatcher: Pick<Dispatcher, "awaySince" | "look">;
};

/** What becomes of calls while Redis is away. */
export const WITHOUT_REDIS =
  "workers look for calls in the calls table, and who waits for one hears of its end within a second";

/**
 * The queue board: what lies in the queue of each pool. It only shows: a job is a hint, and what is run is decided in the
 * database. A browser that is asked for the operators' token sends it as a password.
 */
export function queueBoard(app: FastifyInstance, { db, dispatcher }: QueueBoardServices): void {
  app.addHook("onSend", async (request, reply) => {
    if (reply.statusCode === 401 && request.routeOptions.url === PATH)
      void reply.header("www-authenticate", 'Basic realm="meshforge operations", charset="UTF-8"');
  });
  app.get(PATH, async (_request, reply) => {
    const queues = await lookAtAll(dispatcher).catch(() => null);
    return await reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", POLICY)
      .header("cache-control", "no-store")
      .send(String(page(queues === null ? await withoutQueues({ db, dispatcher }) : queuesShown(queues))));
  });
}

/** What lies in all queues; null, or a rejection, where they cannot be looked at. */
async function lookAtAll(dispatcher: Pick<Dispatcher, "look">): Promise<readonly Queue[] | null> {
  const late = sleep(LOOK_LIMIT_MS, null, { ref: false });
  const looks = await Promise.race([Promise.all(POOLS.map((pool) => dispatcher.look(pool))), late]);
  if (looks?.includes(null) !== false) return null;
  return POOLS.flatMap((pool, index) => {
    const look = looks[index] ?? null;
    return look === null ? [] : [{ pool, ...look }];
  });
}

type Queue = QueueLook & { readonly pool: Pool };

function queuesShown(queues: readonly Queue[]): Html {
  const states = [...new Set(queues.flatMap(({ counts }) => Object.keys(counts)))];
  const rows = queues.map(
    ({ pool, counts }) =>
      html`<tr>
        <td>${pool}</td>
        ${states.map((state) => html`<td>${counts[state] ?? 0}</td>`)}
      </tr>`,
  );
  return html`${table(["pool", ...states], rows)} ${queues.map(jobs)}`;
}

/** What is known without Redis: that it is away, and what waits and runs in the calls table. */
async function withoutQueues({ db, dispatcher }: QueueBoardServices): Promise<Html> {
  const since = dispatcher.awaySince();
  const pools = await readPools(db);
  const rows = pools.map(
    ({ pool, queued, running }) =>
      html`<tr>
        <td>${pool}</td>
        <td>${queued}</td>
        <td>${running}</td>
      </tr>`,
  );
  const why =
    since === null
      ? "The queues could not be read just now."
      : `Redis has been away since ${since.toISOString()}: ${WITHOUT_REDIS}.`;
  return html`<p>${why} This is what the calls table says.</p>
    ${table(["pool", "queued", "running"], rows)}`;
}

const table = (heads: readonly string[], rows: readonly Html[]): Html =>
  html`<table>
    <thead>
      <tr>
        ${heads.map((head) => html`<th>${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;

const page = (shown: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="refresh" content="${REFRESH_S}" />
        <title>Queues</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>Queues</h1>
        ${shown}
      </body>
    </html> `;

function jobs({ pool, oldest }: Queue): Html {
  if (oldest.length === 0) return html``;
  const rows = oldest.map(
    ({ callId, state, at }) =>
      html`<tr>
        <td><code>${callId}</code></td>
        <td>${state}</td>
        <td>${at.toISOString()}</td>
      </tr>`,
  );
  return html`<h2>${pool}</h2>
    ${table(["call", "state", "since"], rows)}`;
}
