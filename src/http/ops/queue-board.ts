import type { FastifyInstance } from "fastify";
import type { Dispatcher, QueueLook } from "../../core/calls/dispatch.ts";
import { POOLS, type Pool } from "../../core/catalog/define.ts";
import { html, type Html } from "../server/html.ts";

const PATH = "/admin/queues";
const REFRESH_S = 5;
const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem;max-width:70rem}table{border-collapse:collapse;margin:0 0 2rem}th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ccc}th:first-child,td:first-child{text-align:left}code{font-size:13px}";
/** The page loads nothing, and runs nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/**
 * The queue board: what lies in the queue of each pool. It only shows: a job is a hint, and what is run is decided in the
 * database. A browser that is asked for the operators' token sends it as a password.
 */
export function queueBoard(app: FastifyInstance, dispatcher: Pick<Dispatcher, "look">): void {
  app.addHook("onSend", async (request, reply) => {
    if (reply.statusCode === 401 && request.routeOptions.url === PATH)
      void reply.header("www-authenticate", 'Basic realm="meshforge operations", charset="UTF-8"');
  });
  app.get(PATH, async (_request, reply) => {
    const looks = await Promise.all(POOLS.map(async (pool) => ({ pool, look: await dispatcher.look(pool) })));
    const queues = looks.flatMap(({ pool, look }) => (look === null ? [] : [{ pool, ...look }]));
    return await reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", POLICY)
      .header("cache-control", "no-store")
      .send(String(page(queues)));
  });
}

type Queue = QueueLook & { readonly pool: Pool };

function page(queues: readonly Queue[]): Html {
  const states = [...new Set(queues.flatMap(({ counts }) => Object.keys(counts)))];
  const rows = queues.map(
    ({ pool, counts }) =>
      html`<tr>
        <td>${pool}</td>
        ${states.map((state) => html`<td>${counts[state] ?? 0}</td>`)}
      </tr>`,
  );
  return html`<!doctype html>
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
        <table>
          <thead>
            <tr>
              <th>pool</th>
              ${states.map((state) => html`<th>${state}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
        ${queues.map(jobs)}
      </body>
    </html> `;
}

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
    <table>
      <thead>
        <tr>
          <th>call</th>
          <th>state</th>
          <th>since</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table> `;
}
