/**
 * Settles calls by hand: the statements of one paid call in one transaction, one after another, against the platform's
 * own tables and guards. What a service would do that has neither functions in the database nor batches.
 * Takes `Statements` over IPC and answers with `Measured`.
 */
import { createHash } from "node:crypto";
import pg from "pg";
import { newId } from "../src/core/ids.ts";
import type { Measured } from "./load.ts";

export type Statements = {
  readonly databaseUrl: string;
  readonly callers: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly accountIds: readonly string[];
};

/** As many as the platform's own processes take. */
const CONNECTIONS = 8;
const PRICE = 1;
const MS_IN_S = 1_000;

process.once("message", (statements: Statements) => {
  void measure(statements).then((measured) => process.send?.(measured, () => process.exit()));
});

async function measure({
  databaseUrl,
  callers,
  seconds,
  warmUpSeconds,
  accountIds,
}: Statements): Promise<Measured> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const run = async (forSeconds: number): Promise<number[]> => {
    const latencies: number[] = [];
    const until = performance.now() + forSeconds * MS_IN_S;
    const call = async (accountId: string): Promise<void> => {
      while (performance.now() < until) {
        const started = performance.now();
        await settle(pool, accountId);
        latencies.push(performance.now() - started);
      }
    };
    await Promise.all(
      Array.from({ length: callers }, (_, n) => call(accountIds[n % accountIds.length] ?? "")),
    );
    return latencies.sort((a, b) => a - b);
  };
  await run(warmUpSeconds);
  const latencies = await run(seconds);
  await pool.end();
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), faults: 0 };
}

async function settle(pool: pg.Pool, accountId: string): Promise<void> {
  const id = newId("call");
  const sha256 = createHash("sha256").update(id).digest();
  const client = await pool.connect();
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  try {
    await client.query("begin");
    const { rows } = await run(
      "lock",
      "select amount, entries from balances where account_id = $1 and currency = 'MESH' for update",
      [accountId],
    );
    const { amount, entries } = rows[0] as { amount: string; entries: string };
    const [after, seq] = [Number(amount) - PRICE, Number(entries) + 1];
    await run("pay", "update balances set amount = $2, entries = $3 where account_id = $1 and currency = 'MESH'", [accountId, after, seq]); // prettier-ignore
    await run(
      "call",
      `insert into calls (id, account_id, slug, version, pool, price, currency, state, max_attempts, timeout_ms, deadline_at,
                          events, input_sha256, output_sha256, created_at, started_at, ended_at)
       values ($1, $2, 'test-inline', '1.0.0', 'inline', ${PRICE}, 'MESH', 'succeeded', 3, 1000, now() + interval '1 minute',
               1, $3, $3, now(), now(), now())`,
      [id, accountId, sha256],
    );
    await run(
      "entry",
      `insert into ledger (account_id, currency, seq, kind, delta, balance_after, call_id)
       values ($1, 'MESH', $2, 'charge', ${-PRICE}, $3, $4)`,
      [accountId, seq, after, id],
    );
    await run("output", `insert into call_outputs (call_id, output) values ($1, '{"text":""}')`, [id]);
    await client.query("commit");
  } finally {
    client.release();
  }
}
