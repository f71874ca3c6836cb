/**
 * Settles calls by hand: the statements of one paid call in one transaction, one after another, against the platform's
 * own tables and guards. What a service would do that has neither functions in the database nor batches.
 * Takes `Statements` over IPC and answers with `Measured`.
 */
import { createHash } from "node:crypto";
import pg from "pg";
import { newId } from "../src/core/ids.ts";
import { type ClosedLoop, runClosedLoop } from "./closed-loop.ts";
import type { Measured } from "./load.ts";

export type Statements = ClosedLoop & {
  readonly databaseUrl: string;
  readonly accountIds: readonly string[];
};

/** As many as the platform's own processes take. */
const CONNECTIONS = 8;
const PRICE = 1;

process.once("message", (statements: Statements) => {
  void measure(statements).then((measured) => process.send?.(measured, () => process.exit()));
});

async function measure({ databaseUrl, accountIds, ...loop }: Statements): Promise<Measured> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const measured = await runClosedLoop(loop, (caller) =>
    settle(pool, accountIds[caller % accountIds.length] ?? ""),
  );
  await pool.end();
  return measured;
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
