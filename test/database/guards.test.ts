import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { claim, end, ENTRY, makeCapability, openAccount, openSession, settleOne } from "./support.ts";

const WORKER = "w1";
const HASH = "decode(repeat('00', 32), 'hex')";

let database: TestDatabase;
let account: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
});
beforeEach(async () => {
  account = (await openAccount(database.owner, 100)).id;
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

type Statement = readonly [sql: string, params?: readonly unknown[]];

/** Runs statements in one transaction of the owner's and commits; the database must refuse them, and nothing stays. */
async function expectRefused(statements: readonly Statement[], why: RegExp): Promise<void> {
  await expect(inTransaction(statements)).rejects.toThrow(why);
  expect(await database.violations()).toBe(0);
}

async function inTransaction(statements: readonly Statement[]): Promise<void> {
  const session = await openSession(database.url);
  try {
    await session.query("begin");
    for (const [sql, params] of statements) await session.query(sql, params === undefined ? [] : [...params]);
    await session.query("commit");
  } finally {
    await session.end();
  }
}

const entry = (delta: number, kind: string, call: string | null = null): Statement => [
  ENTRY,
  [account, delta, kind, call],
];
const charge = (call: string): Statement => entry(-5, "charge", call);
const refund = (call: string): Statement => entry(5, "refund", call);

async function callIn(
  state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "expired",
): Promise<string> {
  const { owner } = database;
  const inline = state === "succeeded" || state === "failed";
  const id = await settleOne(owner, { account_id: account, ...(inline ? { state } : {}) });
  if (inline || state === "queued") return id;
  if (state === "cancelled") await owner.query("select cancel_call($1, $2)", [id, account]);
  else {
    const claimed = await claim(owner, WORKER);
    const mine = claimed.filter((row) => row.id === id);
    if (state === "expired")
      await end(
        owner,
        mine.map((row) => ({ ...row, worker: WORKER, state })),
      );
  }
  return id;
}

const read = async (session: pg.Client): Promise<{ amount: number; entries: number }> => {
  await session.query("begin");
  const { rows } = await session.query(
    "select amount, entries from balances where account_id = $1 and currency = 'MESH'",
    [account],
  );
  return { amount: Number(rows[0].amount), entries: Number(rows[0].entries) };
};

const write = async (session: pg.Client, held: { amount: number; entries: number }): Promise<void> => {
  await session.query(
    "update balances set amount = $2, entries = $3 where account_id = $1 and currency = 'MESH'",
    [account, held.amount - 60, held.entries + 1],
  );
  await session.query(
    "insert into ledger (account_id, currency, seq, kind, delta, balance_after) values ($1, 'MESH', $2, 'fee', -60, $3)",
    [account, held.entries + 1, held.amount - 60],
  );
  await session.query("commit");
};

describe("the database refuses", () => {
  it("a debit that was read before another session's and written after it", async () => {
    const [first, second] = [await openSession(database.url), await openSession(database.url)];
    const [one, two] = [await read(first), await read(second)];
    await write(first, one);
    await expect(write(second, two)).rejects.toThrow(/ledger_account_id_currency_seq_key/);
    await Promise.all([first.end(), second.end()]);
    expect(await database.violations()).toBe(0);
  });

  it("a debit that forgets the ledger", async () => {
    await expectRefused(
      [["update balances set amount = amount - 5 where account_id = $1 and currency = 'MESH'", [account]]],
      /is not what its ledger says/,
    );
  });

  it("a credit that forgets the ledger", async () => {
    await expectRefused(
      [
        [
          "update balances set amount = amount + 5, entries = entries + 1 where account_id = $1 and currency = 'MESH'",
          [account],
        ],
      ],
      /is not what its ledger says/,
    );
  });

  it("a balance that begins with money", async () => {
    await expectRefused(
      [
        ["insert into accounts (id, handle, name) values ('acc_rich', 'rich', 'rich')"],
        ["insert into balances (account_id, currency, amount) values ('acc_rich', 'MESH', 1000)"],
      ],
      /is not what its ledger says/,
    );
  });

  it("a balance that goes back to an older entry", async () => {
    await inTransaction([entry(10, "adjustment")]);
    await expectRefused(
      [
        [
          "update balances set amount = 100, entries = 1 where account_id = $1 and currency = 'MESH'",
          [account],
        ],
      ],
      /is not what its ledger says/,
    );
  });

  it("an entry that forgets the balance", async () => {
    await expectRefused(
      [
        [
          "insert into ledger (account_id, currency, seq, kind, delta, balance_after) values ($1, 'MESH', 2, 'grant', 5, 105)",
          [account],
        ],
      ],
      /does not continue it/,
    );
  });

  it.each([
    ["whose balance does not follow from the one before", 2, 5, 106],
    ["that leaves a gap in the sequence", 3, 5, 105],
    ["that starts a second sequence", 1, 105, 105],
  ])("an entry %s", async (_what, seq, delta, after) => {
    await expectRefused(
      [
        [
          "update balances set amount = $2, entries = $3 where account_id = $1 and currency = 'MESH'",
          [account, after, seq],
        ],
        [
          "insert into ledger (account_id, currency, seq, kind, delta, balance_after) values ($1, 'MESH', $2, 'grant', $3, $4)",
          [account, seq, delta, after],
        ],
      ],
      /does not continue it|ledger_account_id_currency_seq_key|is not what its ledger says/,
    );
  });

  it("a balance below zero", async () => {
    await expectRefused([entry(-101, "adjustment")], /violates check constraint/);
  });

  it("an entry of nothing, a charge that gives and a refund that takes", async () => {
    await expectRefused([entry(0, "adjustment")], /violates check constraint/);
    const call = await callIn("failed");
    await expectRefused([entry(5, "charge", call)], /violates check constraint/);
    await expectRefused([entry(-5, "refund", call)], /violates check constraint/);
  });

  it("a charge or a refund without a call", async () => {
    await expectRefused([entry(-5, "charge")], /violates check constraint/);
    await expectRefused([entry(5, "refund")], /violates check constraint/);
    await expectRefused([entry(-5, "charge", "call_none")], /does not fit|violates foreign key/);
  });

  it("a second charge of one call", async () => {
    await expectRefused([charge(await callIn("queued"))], /ledger_one_charge/);
  });

  it.each(["failed", "cancelled", "expired"] as const)(
    "a second refund of a call that is %s",
    async (state) => {
      await expectRefused([refund(await callIn(state))], /ledger_one_refund/);
    },
  );

  it.each(["succeeded", "running", "queued"] as const)("a refund of a call that is %s", async (state) => {
    await expectRefused([refund(await callIn(state))], /does not fit call/);
  });

  it("a refund to another account than the one that paid", async () => {
    const call = await callIn("failed");
    account = (await openAccount(database.owner, 100)).id;
    await expectRefused([refund(call)], /does not fit call|ledger_one_refund/);
  });

  const CALL = `insert into calls (id, account_id, slug, version, pool, price, currency, state, max_attempts, timeout_ms,
      deadline_at, input_sha256, created_at)
    values ($2, $1, 't-paid', '1.0.0', 'brain', 5, 'MESH', 'queued', 3, 1000, now(), ${HASH}, now())`;

  it("a call without its charge", async () => {
    await expectRefused([[CALL, [account, "call_unpaid"]]], /is not charged its price/);
  });

  it("a call with a charge of another price", async () => {
    await expectRefused(
      [[CALL, [account, "call_cheap"]], entry(-4, "charge", "call_cheap")],
      /does not fit call/,
    );
  });

  it.each(["failed", "cancelled", "expired"])("a call that becomes %s without its refund", async (state) => {
    const call = await callIn("queued");
    await expectRefused(
      [
        [
          "update calls set state = $2, error_code = 'x', input = null, ended_at = now() where id = $1",
          [call, state],
        ],
      ],
      /without its refund/,
    );
  });

  it("a call that becomes succeeded with a refund", async () => {
    const call = await callIn("queued");
    await expectRefused(
      [
        [
          `update calls set state = 'succeeded', output_sha256 = ${HASH}, input = null, ended_at = now() where id = $1`,
          [call],
        ],
        refund(call),
      ],
      /does not fit call/,
    );
  });

  it.each([
    ["succeeded", "nothing", "output_sha256 = null, "],
    ["failed", "an output", `output_sha256 = ${HASH}, error_code = 'x', `],
  ])("a call that %s and gives %s", async (state, _what, columns) => {
    const call = await callIn("queued");
    await expectRefused(
      [
        [
          `update calls set state = $2, ${columns} input = null, ended_at = now() where id = $1`,
          [call, state],
        ],
      ],
      /violates check constraint/,
    );
  });

  it.each([
    ["nothing", "null, null, null"],
    ["two forms of it", "'{}', '\\x00', null"],
    ["an output and a reference", "'{}', null, 'x'"],
  ])("an output that is %s", async (_what, values) => {
    const call = await callIn("queued");
    await expectRefused(
      [[`insert into call_outputs (call_id, output, output_lz4, output_ref) values ($1, ${values})`, [call]]],
      /violates check constraint/,
    );
  });

  it.each(["succeeded", "failed", "cancelled", "expired"] as const)(
    "any change of a call that is %s",
    async (state) => {
      const call = await callIn(state);
      await expectRefused(
        [
          [
            "update calls set state = 'queued', ended_at = null, error_code = null, output_sha256 = null where id = $1",
            [call],
          ],
        ],
        /has ended/,
      );
      await expectRefused([["update calls set output_sha256 = null where id = $1", [call]]], /has ended/);
    },
  );

  it.each([
    ["price", "price = 4"],
    ["currency", "currency = 'USD'"],
    ["id", "id = 'call_other'"],
    ["capability", "slug = 'other'"],
    ["input", "input_sha256 = decode(repeat('11', 32), 'hex')"],
  ])("a call that changes its %s", async (_what, change) => {
    await expectRefused(
      [[`update calls set ${change} where id = $1`, [await callIn("queued")]]],
      /cannot become another|violates foreign key/,
    );
  });

  it("a call that changes hands", async () => {
    const call = await callIn("queued");
    const other = (await openAccount(database.owner, 0)).id;
    await expectRefused(
      [["update calls set account_id = $2 where id = $1", [call, other]]],
      /cannot become another/,
    );
  });

  it("an attempt or a count of events that goes back", async () => {
    const call = await callIn("running");
    await expectRefused([["update calls set attempt = attempt - 1 where id = $1", [call]]], /went back/);
    await expectRefused([["update calls set events = events - 1 where id = $1", [call]]], /went back/);
  });

  it("an event that its call does not count, and one after the last", async () => {
    const event = "insert into events (stream_id, seq, type) values ($1, $2, 'progress')";
    await expectRefused([[event, [await callIn("running"), 3]]], /there is no event 3/);
    await expectRefused([[event, [await callIn("failed"), 2]]], /there is no event 2/);
    await expectRefused([[event, ["call_none", 1]]], /there is no call/);
  });
});

describe("what was written stays", () => {
  it.each(["ledger", "events", "call_outputs", "calls", "balances"])(
    "%s refuses DELETE and TRUNCATE, for the owner as for the service",
    async (table) => {
      for (const state of ["failed", "succeeded", "running"] as const) await callIn(state);
      for (const db of [database.owner, database.app]) {
        await expect(db.query(`delete from ${table}`)).rejects.toThrow(
          /append-only|still kept|permission denied/,
        );
        await expect(db.query(`truncate ${table} cascade`)).rejects.toThrow(/append-only|permission denied/);
      }
      await expect(database.owner.query(`delete from ${table}`)).rejects.toThrow(/append-only|still kept/);
      await expect(database.owner.query(`truncate ${table} cascade`)).rejects.toThrow("append-only");
    },
  );

  it.each([
    ["ledger", "memo = 'another'"],
    ["ledger", "delta = delta"],
    ["events", "data = 'another'"],
    ["call_outputs", "output = 'another'"],
  ])("%s refuses UPDATE (%s), for the owner as for the service", async (table, change) => {
    for (const state of ["failed", "succeeded", "running"] as const) await callIn(state);
    await expect(database.owner.query(`update ${table} set ${change}`)).rejects.toThrow("append-only");
    await expect(database.app.query(`update ${table} set ${change}`)).rejects.toThrow("permission denied");
  });
});

describe("the service's own role", () => {
  it.each([
    "insert into ledger (account_id, currency, seq, kind, delta, balance_after) values ('a', 'MESH', 1, 'grant', 1, 1)",
    "insert into balances (account_id, currency, amount) values ('a', 'MESH', 1)",
    "update balances set amount = amount",
    "delete from balances",
    "insert into calls (id) values ('a')",
    "update calls set state = 'queued'",
    "delete from calls",
    "insert into events (stream_id, seq, type) values ('a', 1, 'status')",
    "insert into call_outputs (call_id, output) values ('a', '{}')",
    "delete from events",
    "delete from call_outputs",
    "update retention set kept_from = now()",
    "update lanes set queued = 0",
    "insert into lanes (pool, account_id, priority, queued, head_at) values ('p', 'a', 0, 0, now())",
    "update key_spend set spent = 0",
    "delete from idempotency_keys",
    "insert into accounts (id, handle, name) values ('a', 'a', 'a')",
    "insert into api_keys (id, account_id, name, prefix, sha256) values ('a', 'a', 'a', 'a', 'a')",
    "update accounts set handle = 'other'",
    "delete from accounts",
    "update api_keys set sha256 = sha256",
    "update api_keys set limit_amount = null",
    "delete from api_keys",
    "select finish_calls(array[]::call_end[], null)",
    "select requeue_calls(array[]::text[])",
    "select shift_lanes(array[]::lane_shift[])",
    "alter table ledger disable trigger all",
    "drop trigger ledger_append_only on ledger",
    "drop table ledger cascade",
    "create table mine ()",
    "create or replace function refuse_change() returns trigger language plpgsql as $$ begin return old; end $$",
  ])("may not: %s", async (sql) => {
    await expect(database.app.query(sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it("may not put triggers to sleep", async () => {
    await expect(database.app.query("set session_replication_role = replica")).rejects.toThrow(
      "permission denied",
    );
  });

  it("cannot lend a money function its own tables", async () => {
    const session = await openSession(database.url);
    try {
      await session.query("set role meshforge_app");
      await session.query(
        "create temp table balances (account_id text, currency text, amount bigint, entries bigint)",
      );
      await session.query("insert into pg_temp.balances values ($1, 'MESH', 1000000, 1)", [account]);
      const { rows } = await session.query(
        "select verdict from post_entry($1, 'MESH', 'adjustment', -500, null, null)",
        [account],
      );
      expect(rows[0].verdict).toBe("insufficient_funds");
    } finally {
      await session.end();
    }
  });

  it("moves money through the functions", async () => {
    const id = await settleOne(database.app, { account_id: account });
    expect(await database.app.query("select verdict from cancel_call($1, $2)", [id, account])).toEqual([
      { verdict: "cancelled" },
    ]);
  });
});

const post = async (
  delta: number,
  reference: string | null,
  to = account,
  kind = "purchase",
): Promise<{ verdict: string; balance: number }> => {
  const [row] = await database.app.query<{ verdict: string; balance: number }>(
    "select verdict, balance from post_entry($1, 'MESH', $2, $3, $4, null)",
    [to, kind, delta, reference],
  );
  return row ?? { verdict: "none", balance: 0 };
};

describe("post_entry", () => {
  it("books a reference once, however often and concurrently it is delivered", async () => {
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => post(10, `once-${account}`)));
    expect(verdicts.filter(({ verdict }) => verdict === "booked")).toHaveLength(1);
    expect(verdicts.every(({ balance }) => balance === 110)).toBe(true);
  });

  it("books a reference once even when it comes for two accounts", async () => {
    const other = (await openAccount(database.owner, 0)).id;
    const booked = await Promise.allSettled([post(10, `two-${account}`), post(10, `two-${account}`, other)]);
    expect(
      booked.filter((result) => result.status === "fulfilled" && result.value.verdict === "booked"),
    ).toHaveLength(1);
  });

  it("says so instead of overdrawing", async () => {
    expect(await post(-101, null, account, "adjustment")).toEqual({
      verdict: "insufficient_funds",
      balance: 100,
    });
    expect(await post(-100, null, account, "adjustment")).toEqual({ verdict: "booked", balance: 0 });
  });

  it("does not know an account that is not there", async () => {
    expect((await post(1, null, "acc_none")).verdict).toBe("unknown_account");
  });

  it.each(["charge", "refund", "earning"])("books no %s, which belongs to a call", async (kind) => {
    await expect(post(kind === "charge" ? -1 : 1, null, account, kind)).rejects.toThrow(
      "violates check constraint",
    );
  });
});
