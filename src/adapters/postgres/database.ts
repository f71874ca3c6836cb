import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db, TransactionalDb } from "../../core/db.ts";
import { AppError } from "../../core/errors.ts";
import { patienceMs, patiently } from "../../core/patience.ts";

/** How long a statement is tried again while the database is away. */
const RETRY_FOR_MS = 15_000;
const RETRY_EVERY_MS = { first: 20, max: 500 };
const CONNECT_TIMEOUT_MS = 5_000;
/** Connections that a burst needed are closed again: each costs the server some megabytes. */
const IDLE_CONNECTION_MS = 3_000;
/** What a process needs that has nothing to do: one for what it does again and again, one for what comes. */
const IDLE_CONNECTIONS = 2;
/** No statement of the service is meant to last; a stuck one must not hold a connection for good. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** A server that cannot even say that a statement took too long is gone, though the connection stands. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Between two statements of a transaction: what it has locked, others wait for. */
const IDLE_TRANSACTION_MS = 5_000;

/** The server was not reached, or refused the connection: the statement surely did not run. */
const NOT_RUN = new Set(["ECONNREFUSED", "ENOENT", "ENOTFOUND", "EAI_AGAIN", "57P03", "53300"]);
/** The connection broke: the statement may have run. */
const BROKEN = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "57P01",
  "57P02",
  "57P05",
  "25P03",
]);
/** Two transactions met in the wrong order, and the server undid this one. */
const UNDONE = new Set(["40P01", "40001"]);
/** The server could not: a standby that only reads, a lock or a statement that took too long. */
const UNABLE = new Set(["25006", "55P03", "57014"]);
/** Classes of the same: connections, resources such as its disk, its operating system. Nothing of them is a row's fault. */
const UNABLE_CLASSES = new Set(["08", "53", "58"]);

const INT8_OID = 20;
const NUMERIC_OID = 1700;

export type Database = TransactionalDb & {
  /** Connections in use and those that wait for one. */
  stats(): { readonly total: number; readonly waiting: number };
  /**
   * While it is idle, statements take turns on few connections: what is done again and again is short, and falls due at
   * the same moments, so that it would hold as many as it has statements.
   */
  setIdle(idle: boolean): void;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  readonly url: string;
  /** The role that the connections take; null for the one that logs in. */
  readonly role: string | null;
  /** For the service, which only looks things up; an operator's command may read whole tables. */
  readonly lookUpsOnly?: boolean;
  readonly maxConnections: number;
  readonly applicationName: string;
};

/**
 * For look-ups, which read a bounded number of rows by an index and in its order. A connection keeps its plans, and makes
 * them while the tables may be nearly empty: left to itself it would read and sort whole tables long after they have
 * grown. To plan anew at each statement would cost more than what is planned. Functions that do read whole tables, as
 * tidying and retention, set it otherwise for themselves.
 */
const LOOK_UPS = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  // What is switched off and yet needed looks dear enough to older servers to be compiled, which takes far longer.
  "jit=off",
];

const settings = ({ role, lookUpsOnly = false }: DatabaseOptions): readonly string[] => [
  ...(role === null ? [] : [`role=${role}`]),
  ...(lookUpsOnly ? LOOK_UPS : []),
];

/** A pool of connections that takes a restart of the server as a pause. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
    options: settings(options)
      .map((setting) => `-c ${setting}`)
      .join(" "),
  });
  // An idle connection that breaks is replaced at the next query; there is nothing else to do.
  pool.on("error", () => undefined);
  const names = new Map<string, string>();

  async function once<T extends object>(
    sql: string,
    params: readonly unknown[] | undefined,
    on: pg.Pool | pg.PoolClient = pool,
  ): Promise<T[]> {
    // A connection that is given up is closed: it would be held until the server answers.
    const query = { text: sql, query_timeout: patienceMs() ?? SILENCE_TIMEOUT_MS };
    if (params === undefined) return (await on.query<T>(query)).rows;
    let name = names.get(sql);
    if (name === undefined) names.set(sql, (name = `s${names.size}`));
    return (await on.query<T>({ ...query, name, values: [...params] })).rows;
  }

  async function inTransaction<T>(
    client: pg.PoolClient,
    work: (db: Pick<Db, "query">) => Promise<T>,
  ): Promise<T> {
    try {
      await client.query(`begin; set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`);
      const result = await work({
        query: <R extends object>(sql: string, params?: readonly unknown[]) => once<R>(sql, params, client),
      });
      await client.query("commit");
      client.release();
      return result;
    } catch (error) {
      // Whatever state it is in, nobody gets it again, and the server undoes what is left.
      client.release(true);
      throw faultOf(error) === "final" ? withoutValues(error) : unavailable(error);
    }
  }

  /** Tries until it knows what came of a statement, or gives up. */
  async function untilKnown<T extends object>(
    sql: string,
    params: readonly unknown[] | undefined,
    repeatable: boolean,
  ): Promise<T[]> {
    const giveUpAt = performance.now() + Math.min(patienceMs() ?? Infinity, RETRY_FOR_MS);
    for (let waitMs = RETRY_EVERY_MS.first; ; waitMs = Math.min(waitMs * 2, RETRY_EVERY_MS.max)) {
      try {
        return await once<T>(sql, params);
      } catch (error) {
        const kind = faultOf(error);
        if (kind === "final") throw withoutValues(error);
        if (kind === "unable" || (kind === "broken" && !repeatable) || performance.now() > giveUpAt)
          throw unavailable(error);
      }
      await sleep(waitMs);
    }
  }

  return {
    query: async <T extends object>(
      sql: string,
      params?: readonly unknown[],
      { repeatable = patienceMs() !== undefined }: { readonly repeatable?: boolean } = {},
    ): Promise<T[]> => await patiently(untilKnown<T>(sql, params, repeatable)),
    transaction: async (work) => await inTransaction(await pool.connect(), work),
    stats: () => ({ total: pool.totalCount, waiting: pool.waitingCount }),
    setIdle: (idle) => {
      pool.options.max = idle ? Math.min(IDLE_CONNECTIONS, options.maxConnections) : options.maxConnections;
    },
    close: () => pool.end(),
  };
}

function parserFor(oid: number, format?: "text" | "binary"): unknown {
  // Amounts are kept below 2^53 by the schema, and counts never come near it.
  if (oid === INT8_OID || oid === NUMERIC_OID) return Number;
  return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, format);
}

function faultOf(error: unknown): "not run" | "broken" | "unable" | "final" {
  if (!(error instanceof Error)) return "final";
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string") {
    if (NOT_RUN.has(code) || UNDONE.has(code)) return "not run";
    if (BROKEN.has(code)) return "broken";
    return UNABLE.has(code) || UNABLE_CLASSES.has(code.slice(0, 2)) ? "unable" : "final";
  }
  if (/timeout exceeded when trying to connect|timeout expired|due to connection timeout/.test(error.message))
    return "not run";
  return /Connection terminated|not queryable|Connection ended|Query read timeout/.test(error.message)
    ? "broken"
    : "final";
}

/** What the server says of a refused statement, less the part that shows the row: a call's row holds its input. */
function withoutValues(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) error.detail = undefined;
  return error;
}

const unavailable = (cause: unknown): AppError => {
  const error = new AppError(
    "unavailable",
    "The database is away, and whether this request did anything is not known. Try again; with the same Idempotency-Key a call is made once.",
  );
  error.cause = cause;
  return error;
};
