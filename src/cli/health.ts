import { hostname } from "node:os";
import { LIMITS } from "../core/limits.ts";
import { loadConfig } from "../platform/config.ts";
import { withDatabase } from "./database-url.ts";

const ANSWER_LIMIT_MS = 3_000;

/** Throws unless the API can serve calls, a worker of this machine lives, or an address answers 200. */
export async function health(what?: string): Promise<void> {
  if (what === "worker") return await workerLives();
  const url = what ?? `${loadConfig().opsUrl}/readyz`;
  const { status } = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch(
    (error: unknown) => {
      throw new Error(`${url} does not answer.`, { cause: error });
    },
  );
  if (status !== 200) throw new Error(`${url} answers ${status}.`);
}

/** A worker says each second in the database that it lives, under the name of its machine: a container's is its own. */
async function workerLives(): Promise<void> {
  const alive = await withDatabase((db) =>
    db.query(
      `select from workers
        where starts_with(name, $1 || '-') and seen_at > clock_now() - $2 * interval '1 ms' limit 1`,
      [hostname(), LIMITS.leaseMs],
    ),
  );
  if (alive.length === 0)
    throw new Error(`No worker of ${hostname()} has given a sign for ${LIMITS.leaseMs} ms.`);
}
