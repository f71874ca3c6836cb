import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Row } from "../../src/core/db.ts";
import { audit } from "../../src/core/ledger/audit.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { claim, end, ENTRY, makeCapability, openAccount, openSession, settle, settleOne } from "./support.ts";

let database: TestDatabase;
const ids = { account: "", other: "", succeeded: "", failed: "", queued: "", running: "", plain: "" };
beforeAll(async () => {
  database = await createTestDatabase();
  const { owner } = database;
  await makeCapability(owner);
  const { id, keyId } = await openAccount(owner, 100);
  await owner.query(
    "update api_keys set limit_currency = 'MESH', limit_amount = 50, limit_period = 'day' where id = $1",
    [keyId],
  );
  ids.account = id;
  ids.other = (await openAccount(owner, 100)).id;
  const call = { account_id: id, key_id: keyId };
  ids.succeeded = await settleOne(owner, { ...call, state: "succeeded" });
  ids.failed = await settleOne(owner, call);
  const claimed = await claim(owner, "w");
  await end(
    owner,
    claimed.map((row) => ({ ...row, worker: "w", state: "failed" })),
  );
  ids.running = await settleOne(owner, call);
  await claim(owner, "w");
  ids.queued = await settleOne(owner, call);
  ids.plain = await settleOne(owner, { account_id: ids.other, state: "succeeded" });
  await settle(owner, [
    { account_id: ids.other, price: 0 },
    { account_id: ids.other, state: "failed" },
  ]);
});
afterAll(async () => {
  await database.drop();
});

/** Plants a fault with all triggers asleep and tells what the audit says; nothing of it is kept. */
async function auditWith(...statements: readonly (readonly [string, ...unknown[]])[]): Promise<string[]> {
  const session = await openSession(database.url);
  try {
    await session.query("begin");
    await session.query("set local session_replication_role = replica");
    for (const [sql, ...params] of statements) await session.query(sql, params);
    const query = async <T extends object = Row>(sql: string): Promise<T[]> =>
      (await session.query(sql)).rows as T[];
    const { ok, checks } = await audit({ query });
    const found = checks.filter(({ violations }) => violations > 0).map(({ id }) => id);
    expect(ok).toBe(found.length === 0);
    return found;
  } finally {
    await session.query("rollback");
    await session.end();
  }
}

/** A run without nodes that has ended. */
const ENDED_RUN = `insert into runs (id, account_id, rules, depth, nodes, deadline_at, created_at, ended_at)
             values ($1, $2, 1, 1, 0, clock_now(), clock_now(), clock_now())`;
const ended = (): [string, ...unknown[]] => [ENDED_RUN, ids.succeeded, ids.account];
const node = (state: string, callId: string): [string, ...unknown[]] => [
  `insert into run_nodes (run_id, name, nth, slug, needs, input, on_failure, state, call_id)
   values ($1, 'a', 0, 't-paid', '{}', '{}', 'end', $2, $3)`,
  ids.succeeded,
  state,
  callId,
];
const counted: [string, ...unknown[]] = ["update runs set nodes = 1"];

describe("the audit", () => {
  it("finds nothing where nothing is wrong, in every check from I1 to I12", async () => {
    const { ok, checks } = await audit(database.owner);
    expect(ok).toBe(true);
    expect(checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(Array.from({ length: 12 }, (_, index) => `I${index + 1}`)),
    );
    expect(checks.every(({ name, violations }) => name.length > 10 && violations === 0)).toBe(true);
  });

  it("runs as the service's own role", async () => {
    expect((await audit(database.app)).ok).toBe(true);
  });

  it("finds I1, a balance that is not the sum of its deltas", async () => {
    const more = "update balances set amount = amount + 1 where account_id = $1 and currency = 'MESH'";
    expect(await auditWith([more, ids.account])).toEqual(["I1"]);
    const count = "update balances set entries = entries + 1 where account_id = $1 and currency = 'MESH'";
    expect(await auditWith([count, ids.account])).toEqual(["I1"]);
  });

  it("finds I2, an entry that does not continue the one before", async () => {
    const second =
      "update ledger set balance_after = balance_after + 1 where account_id = $1 and currency = 'MESH' and seq = 2";
    expect(await auditWith([second, ids.account])).toEqual(["I2"]);
    const first =
      "update ledger set balance_after = balance_after + 1 where account_id = $1 and currency = 'MESH' and seq = 1";
    expect(await auditWith([first, ids.account])).toEqual(["I2"]);
  });

  it("finds I3, a gap in a sequence", async () => {
    const last =
      "update ledger l set seq = seq + 1 from balances b where b.account_id = $1 and b.currency = 'MESH' and l.account_id = b.account_id and l.currency = b.currency and l.seq = b.entries";
    expect(await auditWith([last, ids.account])).toEqual(["I3"]);
    const all = "update ledger set seq = seq + 1000 where account_id = $1";
    expect(await auditWith([all, ids.account])).toEqual(["I3"]);
  });

  it("finds I4, a negative balance", async () => {
    expect(
      await auditWith(
        ["alter table balances drop constraint balances_amount_check"],
        ["alter table ledger drop constraint ledger_balance_after_check"],
        [ENTRY, ids.account, -1_000, "adjustment", null],
      ),
    ).toEqual(["I4"]);
  });

  it("finds I5, a call that is stuck past its deadline", async () => {
    for (const id of [ids.queued, ids.running]) {
      const late = "update calls set deadline_at = clock_timestamp() - interval '6 seconds' where id = $1";
      expect(await auditWith([late, id])).toEqual(["I5"]);
      const soon = "update calls set deadline_at = clock_timestamp() - interval '3 seconds' where id = $1";
      expect(await auditWith([soon, id])).toEqual([]);
    }
  });

  it("finds I6, a call that was not charged its price, or not once", async () => {
    for (const id of [ids.succeeded, ids.failed, ids.queued, ids.running]) {
      const none = "update ledger set kind = 'adjustment' where call_id = $1 and kind = 'charge'";
      expect(await auditWith([none, id])).toEqual(["I6"]);
    }
    expect(await auditWith(["update calls set price = 4 where id = $1", ids.plain])).toEqual(["I6"]);
    expect(
      await auditWith(["drop index ledger_one_charge"], [ENTRY, ids.account, -5, "charge", ids.succeeded]),
    ).toEqual(["I6"]);
    const freed = "update calls set price = 0 where id = $1";
    expect(await auditWith([freed, ids.plain])).toEqual(["I6"]);
  });

  it("finds I7, a call that failed without its refund, or with two", async () => {
    const none = "update ledger set kind = 'adjustment' where call_id = $1 and kind = 'refund'";
    expect(await auditWith([none, ids.failed])).toEqual(["I7"]);
    expect(
      await auditWith(["drop index ledger_one_refund"], [ENTRY, ids.account, 5, "refund", ids.failed]),
    ).toEqual(["I7"]);
  });

  it("finds I8, a refund of a call that did not fail", async () => {
    for (const id of [ids.succeeded, ids.queued, ids.running]) {
      expect(await auditWith([ENTRY, ids.account, 5, "refund", id])).toEqual(["I8"]);
    }
  });

  it("finds I9, an entry without its call or its account", async () => {
    expect(await auditWith([ENTRY, ids.account, 5, "earning", "call_none"])).toEqual(["I9"]);
    expect(await auditWith([ENTRY, ids.account, 5, "refund", "call_none"])).toEqual(["I9"]);
    const stray =
      "insert into ledger (account_id, currency, seq, kind, delta, balance_after) values ('acc_none', 'MESH', 1, 'grant', 5, 5)";
    expect(await auditWith([stray])).toEqual(["I9"]);
    // Another account paid for the call.
    expect(
      await auditWith(["update calls set account_id = $2 where id = $1", ids.succeeded, ids.other]),
    ).toEqual(["I9"]);
  });

  it("finds I10, events with a gap, or without exactly one last", async () => {
    for (const stray of [
      ["update events set seq = seq + 1 where stream_id = $1", ids.running],
      ["delete from events where stream_id = $1", ids.running],
      ["insert into events (stream_id, seq, type) values ($1, 3, 'progress')", ids.queued],
      ["insert into events (stream_id, seq, type) values ($1, 1, 'completed')", ids.queued],
      ["insert into events (stream_id, seq, type) values ($1, 1, 'progress')", ids.succeeded],
      ["insert into events (stream_id, seq, type) values ('call_none', 1, 'progress')"],
      ["update calls set events = events + 1 where id = $1", ids.failed],
    ] as const) {
      expect(await auditWith(stray), stray[0]).toEqual(["I10"]);
    }
  });

  it("finds I15, a call that succeeded without its output, and an output of another call", async () => {
    expect(await auditWith(["delete from call_outputs where call_id = $1", ids.succeeded])).toEqual(["I15"]);
    const more = "insert into call_outputs (call_id, output) values ($1, '{}')";
    for (const id of [ids.failed, ids.queued, "call_none"])
      expect(await auditWith([more, id])).toEqual(["I15"]);
  });

  it("finds I11, a lane that does not count what waits and runs", async () => {
    for (const change of ["queued = queued + 1", "running = running + 1", "running = running - 1"]) {
      expect(await auditWith([`update lanes set ${change} where account_id = $1`, ids.account])).toEqual([
        "I11",
      ]);
    }
    expect(await auditWith(["delete from lanes where account_id = $1", ids.account])).toEqual(["I11"]);
  });

  it("finds I12, a key that has spent something else than its calls cost", async () => {
    expect(await auditWith(["update key_spend set spent = spent + 1"])).toEqual(["I12"]);
    expect(await auditWith(["delete from key_spend"])).toEqual(["I12"]);
  });

  it("finds I14, a memory of a call that did not succeed, is another account's, or is not there", async () => {
    const memory =
      "insert into memories (id, account_id, character, content, call_id) values ('mem_1', $1, '', 'a', $2)";
    for (const id of [ids.failed, ids.running, ids.plain, "call_none"]) {
      expect(await auditWith([memory, ids.account, id])).toEqual(["I14"]);
    }
    expect(await auditWith([memory, ids.account, ids.succeeded])).toEqual([]);
  });

  it("finds I16, a run that has ended and its call has not, or the other way, or has none", async () => {
    expect(await auditWith(ended())).toEqual([]);
    expect(await auditWith(ended(), ["update runs set ended_at = null"])).toEqual(["I16"]);
    expect(await auditWith([ENDED_RUN, "call_none", ids.account])).toEqual(["I16"]);
  });

  it("finds I17, a node whose call is not its run's, or has a price, or no node", async () => {
    const parted: [string, ...unknown[]] = [
      "update calls set parent_id = $2 where id = $1",
      ids.plain,
      ids.succeeded,
    ];
    expect(await auditWith(ended(), counted, node("succeeded", ids.plain))).toEqual(["I17"]);
    expect(await auditWith(ended(), counted, parted, node("succeeded", ids.plain))).toEqual(["I17"]);
    expect(await auditWith(ended(), parted)).toEqual(["I17"]);
  });

  it("finds I18, a run that counts its nodes wrongly, or has ended with one open", async () => {
    expect(await auditWith(ended(), counted)).toEqual(["I18"]);
    const open: [string, ...unknown[]] = ["update runs set open = 1"];
    expect(await auditWith(ended(), open)).toEqual(["I18"]);
  });

  it("finds I19, mail that nobody has used, and an end that was not mailed", async () => {
    const mail = "insert into run_mail (run_id, call_id, kind, created_at) values ($1, $2, 'ended', $3)";
    const old = new Date(Date.now() - 60_000);
    expect(await auditWith([mail, ids.succeeded, ids.plain, old])).toEqual(["I19"]);
    const unmailed = await auditWith(ended(), counted, node("started", ids.plain));
    expect(unmailed).toContain("I19");
  });
});
