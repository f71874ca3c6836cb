import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { claim, end, makeCapability, openAccount, settle } from "./support.ts";

const ACCOUNTS = 3;
const STARTER = 40;
const SPEND_LIMIT = 25;
const MAX_QUEUED = 6;
const RUNS = { numRuns: 25 };

/** What may happen, as data; several of a round happen at the same time, on connections of their own. */
type Op =
  | {
      readonly kind: "settle";
      readonly items: readonly {
        readonly account: number;
        readonly price: number;
        readonly state: "queued" | "succeeded" | "failed";
        readonly key: number | null;
      }[];
    }
  | { readonly kind: "claim"; readonly worker: number; readonly slots: number }
  | {
      readonly kind: "end";
      readonly worker: number;
      readonly state: "succeeded" | "failed" | "cancelled" | "expired";
      readonly stale: boolean;
    }
  | { readonly kind: "cancel"; readonly nth: number }
  | { readonly kind: "sweep"; readonly overdue: "lease" | "deadline" | "nothing" }
  | { readonly kind: "hand back"; readonly worker: number }
  | { readonly kind: "progress"; readonly worker: number }
  | {
      readonly kind: "post";
      readonly account: number;
      readonly delta: number;
      readonly reference: number | null;
    };

const account = fc.nat(ACCOUNTS - 1);
const worker = fc.nat(1);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      items: fc.array(
        fc.record({
          account,
          price: fc.constantFrom(0, 1, 3, 7, 20),
          state: fc.constantFrom(
            "queued" as const,
            "queued" as const,
            "succeeded" as const,
            "failed" as const,
          ),
          key: fc.option(fc.nat(3), { freq: 2 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("claim" as const),
      worker,
      slots: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("end" as const),
      worker,
      state: fc.constantFrom(
        "succeeded" as const,
        "failed" as const,
        "cancelled" as const,
        "expired" as const,
      ),
      stale: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), nth: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("sweep" as const),
      overdue: fc.constantFrom("lease" as const, "deadline" as const, "nothing" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hand back" as const), worker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("progress" as const), worker }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("post" as const),
      account,
      delta: fc.constantFrom(-30, -1, 1, 10),
      reference: fc.option(fc.nat(2), { freq: 2 }),
    }),
  },
);
const rounds = fc.array(fc.array(op, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
});
afterAll(async () => {
  await database.drop();
});

/** What the verdicts say that each account must hold; it knows nothing of how the database does it. */
class Model {
  readonly holds: number[] = Array.from({ length: ACCOUNTS }, () => STARTER);
  readonly calls = new Map<string, { readonly account: number; readonly price: number }>();
  readonly refunded: string[] = [];
  readonly held = new Map<string, { readonly worker: number; readonly attempt: number }>();

  move(index: number, delta: number): void {
    this.holds[index] = (this.holds[index] ?? 0) + delta;
  }

  /** Noted only: a call may end before the session that settled it hears that it was accepted. */
  refund(callId: string): void {
    this.refunded.push(callId);
  }

  balances(): number[] {
    const balances = [...this.holds];
    for (const id of this.refunded) {
      const call = this.calls.get(id);
      if (call !== undefined) balances[call.account] = (balances[call.account] ?? 0) + call.price;
    }
    return balances;
  }
}

type Run = {
  readonly model: Model;
  readonly accounts: readonly { readonly id: string; readonly keyId: string }[];
  readonly name: string;
};

async function perform(run: Run, step: Op): Promise<void> {
  switch (step.kind) {
    case "settle":
      return await performSettle(run, step);
    case "claim":
      for (const { id, attempt } of await claim(database.app, `${run.name} ${step.worker}`, step.slots)) {
        run.model.held.set(id, { worker: step.worker, attempt });
      }
      return;
    case "end":
      return await performEnd(run, step);
    case "cancel":
      return await performCancel(run, step.nth);
    case "sweep":
      return await performSweep(run, step.overdue);
    case "hand back":
      return await performHandBack(run, step.worker);
    case "progress":
      return await performProgress(run, step.worker);
    case "post":
      return await performPost(run, step);
  }
}

async function performSettle(
  { model, accounts, name }: Run,
  { items }: Extract<Op, { kind: "settle" }>,
): Promise<void> {
  const given = items.map((item) => ({
    ...item,
    account_id: accounts[item.account]?.id ?? "",
    key_id: accounts[item.account]?.keyId ?? null,
    idempotency_key: item.key === null ? null : `${name} ${item.key}`,
    request: String(item.price),
  }));
  const settled = await settle(
    database.app,
    given.map(({ account: _account, key: _key, ...item }) => item),
    MAX_QUEUED,
  );
  expect(settled).toHaveLength(items.length);
  for (const { ord, verdict, call_id } of settled) {
    const item = items[ord];
    if (verdict !== "accepted" || item === undefined) continue;
    model.calls.set(call_id, item);
    if (item.state !== "failed") model.move(item.account, -item.price);
  }
}

async function performEnd(
  { model, name }: Run,
  { worker, state, stale }: Extract<Op, { kind: "end" }>,
): Promise<void> {
  const mine = [...model.held].filter(([, held]) => held.worker === worker).slice(0, 3);
  const ends = mine.map(([id, { attempt }]) => ({
    id,
    attempt: stale ? attempt - 1 : attempt,
    worker: `${name} ${worker}`,
    state,
  }));
  for (const { id, verdict } of await end(database.app, ends)) {
    if (stale) expect(verdict).toBe("stale");
    if (verdict === "ended" && state !== "succeeded") model.refund(id);
  }
}

async function performCancel({ model, accounts }: Run, nth: number): Promise<void> {
  const [id, call] = [...model.calls][nth] ?? [];
  if (id === undefined || call === undefined) return;
  const [row] = await database.app.query<{ verdict: string }>("select verdict from cancel_call($1, $2)", [
    id,
    accounts[call.account]?.id,
  ]);
  if (row?.verdict === "cancelled") model.refund(id);
}

async function performSweep(
  { model, accounts }: Run,
  overdue: "lease" | "deadline" | "nothing",
): Promise<void> {
  if (overdue !== "nothing") {
    const column = overdue === "lease" ? "lease_until" : "deadline_at";
    const state = overdue === "lease" ? "running" : "queued";
    await database.owner.query(
      `update calls set ${column} = clock_timestamp() - interval '1 second' where id in (
         select id from calls where account_id = any ($1) and state = $2 order by id limit 3 for update skip locked)`,
      [accounts.map(({ id }) => id), state],
    );
  }
  const swept = await database.app.query<{ id: string; verdict: string }>(
    "select id, verdict from sweep_calls(100)",
  );
  for (const { id, verdict } of swept) if (verdict === "ended") model.refund(id);
}

async function performHandBack({ model, name }: Run, worker: number): Promise<void> {
  const mine = [...model.held].filter(([, held]) => held.worker === worker).slice(0, 2);
  await database.app.query("select from hand_back_calls($1, $2, $3)", [
    `${name} ${worker}`,
    mine.map(([id]) => id),
    mine.map(([, { attempt }]) => attempt),
  ]);
}

async function performProgress({ model, name }: Run, worker: number): Promise<void> {
  const events = [...model.held].map(([id, { attempt }], ord) => ({
    ord,
    id,
    attempt,
    worker: `${name} ${worker}`,
    data: "{}",
  }));
  await database.app.query("select from add_events($1, 5)", [JSON.stringify(events)]);
}

async function performPost(
  { model, accounts, name }: Run,
  { account, delta, reference }: Extract<Op, { kind: "post" }>,
): Promise<void> {
  const [row] = await database.app.query<{ verdict: string }>(
    "select verdict from post_entry($1, 'MESH', 'adjustment', $2, $3, null)",
    [accounts[account]?.id, delta, reference === null ? null : `${name} ${account} ${reference}`],
  );
  if (row?.verdict === "booked") model.move(account, delta);
}

let runs = 0;

it("keeps every invariant, and every coin, whatever happens in whatever order and at the same time", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const accounts = [];
      for (let n = 0; n < ACCOUNTS; n++) accounts.push(await openAccount(database.owner, STARTER));
      await database.owner.query(
        "update api_keys set limit_currency = 'MESH', limit_amount = $2, limit_period = 'total' where id = $1",
        [accounts[0]?.keyId, SPEND_LIMIT],
      );
      const run: Run = { model: new Model(), accounts, name: `run ${runs++}` };
      for (const round of plan) await Promise.all(round.map((step) => perform(run, step)));
      expect(await database.violations()).toBe(0);
      const held = await database.owner.query<{ amount: number }>(
        "select amount from balances where account_id = any ($1) and currency = 'MESH' order by account_id",
        [accounts.map(({ id }) => id)],
      );
      expect(held.map(({ amount }) => amount)).toEqual(run.model.balances());
      const [limited] = await database.owner.query<{ spent: number }>(
        "select coalesce(max(spent), 0) as spent from key_spend where key_id = $1",
        [accounts[0]?.keyId],
      );
      expect(limited?.spent).toBeLessThanOrEqual(SPEND_LIMIT);
      // What still waits or runs is no later run's.
      await drain(run);
    }),
    RUNS,
  );
});

async function drain({ accounts }: Run): Promise<void> {
  await database.owner.query(
    "update calls set deadline_at = clock_timestamp() - interval '1 second' where account_id = any ($1) and state in ('queued', 'running')",
    [accounts.map(({ id }) => id)],
  );
  await database.app.query("select from sweep_calls(1000)");
  expect(await database.violations()).toBe(0);
}
