import type { Answer, TestPlatform } from "./platform.ts";
import { until } from "./until.ts";

/** An answer that comes at once, whatever the call does. */
export const ASYNC = { prefer: "respond-async" };

/** Starts a call without waiting for it, and gives its id. On a busy machine it may have ended by then. */
export async function begin(
  platform: TestPlatform,
  key: string,
  slug: string,
  body: unknown = {},
): Promise<string> {
  const answer = await platform.request("POST", `/api/call/${slug}`, { key, body, headers: ASYNC });
  if (answer.status !== 202 && answer.body.done !== true)
    throw new Error(`the call was not accepted: ${JSON.stringify(answer.body)}`);
  return answer.body.call_id;
}

/** The envelope of a call that has ended, waiting for its end. */
export async function ended(
  platform: TestPlatform,
  key: string,
  callId: string,
  waitS = 120,
): Promise<Answer["body"]> {
  const { body } = await platform.request("GET", `/api/calls/${callId}?wait=${waitS}`, { key });
  if (body.done !== true) throw new Error(`the call has not ended: ${JSON.stringify(body)}`);
  return body;
}

/** Waits until a worker runs the call. */
export async function running(platform: TestPlatform, callId: string): Promise<void> {
  await until(async () => (await row(platform, callId)).state === "running");
}

/** The row of a call as the database holds it, with what it gave; hashes in hex. */
export async function row(platform: TestPlatform, callId: string): Promise<Answer["body"]> {
  const [found] = await platform.database.owner.query(
    `select c.*, o.output, o.output_lz4, o.output_ref,
            encode(c.input_sha256, 'hex') as input_hash, encode(c.output_sha256, 'hex') as output_hash
       from calls c left join call_outputs o on o.call_id = c.id where c.id = $1`,
    [callId],
  );
  return found;
}

/** Kind and delta of every ledger entry of an account since it was opened and brought to its balance, oldest first. */
export async function entries(
  platform: TestPlatform,
  accountId: string,
): Promise<[kind: string, delta: number][]> {
  const rows = await platform.database.owner.query<{ kind: string; delta: number }>(
    `select kind, delta from ledger
      where account_id = $1 and currency = 'MESH' and kind in ('charge', 'refund') order by seq`,
    [accountId],
  );
  return rows.map(({ kind, delta }) => [kind, delta]);
}

/** What an account holds, in MESH. */
export async function balance(platform: TestPlatform, accountId: string): Promise<number> {
  const [found] = await platform.database.owner.query<{ amount: number }>(
    "select amount from balances where account_id = $1 and currency = 'MESH'",
    [accountId],
  );
  return found?.amount ?? Number.NaN;
}

/**
 * Makes the lease of a running call run out now, as if its worker had long been silent. Swept in the same transaction:
 * a worker that lives would renew the lease before anybody sees that it ran out.
 */
export async function loseLease(platform: TestPlatform, callId: string): Promise<void> {
  if (!/^call_[0-9a-f]+$/.test(callId)) throw new Error(`${callId} is no call`);
  await platform.database.owner.query(`
    do $$ begin
      update calls set lease_until = clock_timestamp() - interval '1 ms' where id = '${callId}' and state = 'running';
      perform sweep_calls(200);
    end $$`);
}

/**
 * Makes the time of a running call be over now. Swept in the same transaction: a worker that lives would report it
 * before anybody sees that it ran out.
 */
export async function passDeadline(platform: TestPlatform, callId: string): Promise<void> {
  if (!/^call_[0-9a-f]+$/.test(callId)) throw new Error(`${callId} is no call`);
  await platform.database.owner.query(`
    do $$ begin
      update calls set deadline_at = moment, run_until = moment, lease_until = moment
        from (select clock_timestamp() - interval '1 ms' as moment) m where id = '${callId}' and ended_at is null;
      perform sweep_calls(200);
    end $$`);
}
