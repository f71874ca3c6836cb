import { afterAll, beforeAll, expect, it } from "vitest";
import { placeOutputs } from "../../src/core/calls/outputs.ts";
import { newId } from "../../src/core/ids.ts";
import { sweepRuns } from "../../src/core/runs/sweep-runs.ts";
import { createRuntime, type Runtime } from "../../src/platform/runtime.ts";
import { balance, begin, ended, entries, row } from "../support/calls.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const FUNDS = 1_000;
const PRICE = 5;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    pools: [
      { pool: "brain", slots: 16 },
      { pool: "text", slots: 2 },
      { pool: "system", slots: 2 },
    ],
  });
});
afterAll(async () => {
  await allMailUsed();
  expect(await platform.database.violations()).toBe(0);
  const [{ deadlocks }] = (await platform.database.owner.query<{ deadlocks: number }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  )) as [{ deadlocks: number }];
  expect(deadlocks).toBe(0);
  await platform.stop();
});

type Node = {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly mode?: string;
  readonly ms?: number;
  readonly slug?: string;
  readonly onFailure?: "end" | "skip";
  readonly input?: object;
};

let runs = 0;
const newText = (): string => `run ${process.pid}.${runs++}`;

async function start(key: string, body: { readonly text?: string; readonly [field: string]: unknown }) {
  const text = body.text ?? newText();
  return { text, id: await begin(platform, key, "test-run", { ...body, text }) };
}

async function run(key: string, nodes: readonly Node[], more: object = {}): Promise<Answer["body"]> {
  const { id } = await start(key, { nodes, ...more });
  return await ended(platform, key, id);
}

const nodesOf = async (id: string): Promise<Record<string, string>> => {
  const rows = await platform.database.owner.query<{ name: string; state: string }>(
    "select name, state from run_nodes where run_id = $1",
    [id],
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
};

/** How often each note of a run was kept. */
async function notesOf(text: string): Promise<Record<string, number>> {
  const rows = await platform.database.owner.query<{ content: string; n: number }>(
    "select content, count(*)::integer as n from memories where content like $1 || ' %' group by 1",
    [text],
  );
  return Object.fromEntries(rows.map(({ content, n }) => [content.slice(text.length + 1), n]));
}

async function allMailUsed(): Promise<void> {
  await until(async () => (await platform.database.owner.query("select from run_mail")).length === 0);
}

const chain = (length: number): Node[] =>
  Array.from({ length }, (_, nth) => ({ name: `n${nth}`, needs: nth === 0 ? [] : [`n${nth - 1}`] }));

it("runs a chain in order, each node once, and charges the run alone", async () => {
  const { id: accountId, key } = await platform.account(FUNDS);
  const { id, text } = await start(key, { nodes: chain(5) });
  const body = await ended(platform, key, id);
  expect(body).toMatchObject({
    outcome: "succeeded",
    result: { notes: chain(5).map(({ name }) => `${text} ${name}`) },
  });
  expect(await notesOf(text)).toEqual({ n0: 1, n1: 1, n2: 1, n3: 1, n4: 1 });
  expect(await entries(platform, accountId)).toEqual([["charge", -PRICE]]);
  const children = await platform.database.owner.query<{ price: number; state: string }>(
    "select price, state from calls where parent_id = $1",
    [id],
  );
  expect(children).toEqual(chain(5).map(() => ({ price: 0, state: "succeeded" })));
});

it("is one call to its caller: its nodes are neither listed nor counted", async () => {
  const { key } = await platform.account(FUNDS);
  const { id } = await start(key, {
    nodes: [...chain(2), { name: "bad", mode: "throw", onFailure: "skip" }],
  });
  expect(await ended(platform, key, id)).toMatchObject({ outcome: "succeeded" });
  for (const query of ["", "?status=succeeded", "?slug=test-run", "?limit=1"]) {
    const { body } = await platform.request("GET", `/api/calls${query}`, { key });
    expect(body.calls.map((call: { call_id: string }) => call.call_id)).toEqual([id]);
  }
  for (const query of ["?slug=test-note", "?status=failed"])
    expect((await platform.request("GET", `/api/calls${query}`, { key })).body.calls).toEqual([]);
  const counted = await platform.database.owner.query<{ slug: string; calls: number; ends: number }>(
    `select slug, sum(calls)::integer as calls, sum(cardinality(recent))::integer as ends from capability_counts
      where slug in ('test-note', 'test-run') group by 1 having sum(calls) + sum(cardinality(recent)) > 0`,
  );
  expect(counted.map(({ slug }) => slug)).toEqual(["test-run"]);
});

it("gives a node values of the outputs of those that it needs", async () => {
  const { key } = await platform.account(FUNDS);
  const text = newText();
  const id = await begin(platform, key, "test-run", {
    text,
    nodes: [{ name: "a", mode: "large" }, { name: "b" }, { name: "c", needs: ["a", "b"] }],
  });
  await ended(platform, key, id);
  const [node] = await platform.database.owner.query<{ call_id: string }>(
    "select call_id from run_nodes where run_id = $1 and name = 'c'",
    [id],
  );
  const { body } = await platform.request("GET", `/api/calls/${node?.call_id}`, { key });
  expect(body.result).toEqual({ text: `${text} c`, before: [`${text} a`, `${text} b`] });
});

it("runs a diamond, and a fan of more nodes than may be on their way at once", async () => {
  const { key } = await platform.account(FUNDS);
  const diamond = await run(key, [
    { name: "top" },
    { name: "left", needs: ["top"] },
    { name: "right", needs: ["top"] },
    { name: "end", needs: ["left", "right"] },
  ]);
  expect(diamond.result.notes).toHaveLength(4);
  const fan = Array.from({ length: 40 }, (_, nth) => ({ name: `f${nth}`, ms: 20 }));
  const { id } = await start(key, { nodes: [...fan, { name: "all", needs: fan.map(({ name }) => name) }] });
  let most = 0;
  const body = await until(async () => {
    const states = Object.values(await nodesOf(id));
    most = Math.max(most, states.filter((state) => state === "started").length);
    const { body } = await platform.request("GET", `/api/calls/${id}`, { key });
    return body.done === true && body;
  });
  expect(body.result.notes).toHaveLength(41);
  expect(most).toBeLessThanOrEqual(8);
});

it("ends a run of no nodes at once, and one that grows when it has grown", async () => {
  const { key } = await platform.account(FUNDS);
  expect((await run(key, [])).result).toMatchObject({ states: {}, notes: [], grown: 0 });
  expect((await run(key, [], { grow: 6 })).result).toMatchObject({ grown: 6 });
  expect((await run(key, [{ name: "a" }, { name: "b" }], { grow: 3 })).result).toMatchObject({ grown: 3 });
});

it("ends with a node that fails, refunds the run, and takes back what is open of it", async () => {
  const { id: accountId, key } = await platform.account(FUNDS);
  const { id } = await start(key, {
    nodes: [
      { name: "slow", ms: 15_000 },
      { name: "bad", mode: "fault" },
      { name: "after", needs: ["slow"] },
    ],
  });
  const body = await ended(platform, key, id);
  expect(body).toMatchObject({ outcome: "failed", error: "told_to_fail", refunded: true });
  expect(await nodesOf(id)).toEqual({ slow: "cancelled", bad: "failed", after: "cancelled" });
  expect(await entries(platform, accountId)).toEqual([["charge", -PRICE], ["refund", PRICE]]); // prettier-ignore
  await until(async () => {
    const open = await platform.database.owner.query(
      "select from calls where parent_id = $1 and ended_at is null",
      [id],
    );
    return open.length === 0;
  });
});

it("skips what needs a node that may fail, and goes on with the rest", async () => {
  const { key } = await platform.account(FUNDS);
  const { id } = await start(key, {
    nodes: [
      { name: "bad", mode: "throw", onFailure: "skip" },
      { name: "after", needs: ["bad"] },
      { name: "later", needs: ["after"] },
      { name: "good" },
    ],
  });
  const body = await ended(platform, key, id);
  expect(body.outcome).toBe("succeeded");
  expect(body.result.states).toEqual({
    bad: "failed",
    after: "skipped",
    later: "skipped",
    good: "succeeded",
  });
});

it.each([
  ["that is not there", { name: "a", slug: "no-such-thing" }],
  ["whose input is refused", { name: "a", slug: "test-work", input: { mode: "no such mode" } }],
  ["that is a state tool", { name: "a", slug: "test-state", input: { purse: "of a run" } }],
])("fails a node %s before it begins, and the run with it, and blames no caller", async (_, node) => {
  const { key } = await platform.account(FUNDS);
  const body = await run(key, [node]);
  expect(body).toMatchObject({ outcome: "failed", error: "internal_error", refunded: true });
});

it.each(["throw", "stuck", "stranger", "garbled", "restless"])(
  "refunds a run whose rules are wrong: %s",
  async (mistake) => {
    const { id, key } = await platform.account(FUNDS);
    const body = await run(key, mistake === "restless" ? [{ name: "a" }] : [], { mistake });
    expect(body).toMatchObject({ outcome: "failed", error: "internal_error", refunded: true });
    expect(await balance(platform, id)).toBe(FUNDS);
  },
);

it("runs in threads and among the system's own what would run in the API if it were called", async () => {
  const { key } = await platform.account(FUNDS);
  const body = await run(key, [
    { name: "inline", slug: "test-inline", input: { text: "in a thread" } },
    { name: "asks", slug: "agent-memory", input: { action: "store", text: "of a run" } },
  ]);
  expect(body.result.states).toEqual({ inline: "succeeded", asks: "succeeded" });
});

it("runs runs within runs, three deep and no deeper", async () => {
  const { id: accountId, key } = await platform.account(FUNDS);
  const text = newText();
  const nested = (depth: number): Node =>
    depth === 0
      ? { name: "note" }
      : { name: "deeper", slug: "test-run", input: { text: `${text} ${depth}`, nodes: [nested(depth - 1)] } };
  expect(await run(key, [nested(2)])).toMatchObject({ outcome: "succeeded" });
  expect(await notesOf(`${text} 1`)).toEqual({ note: 1 });
  expect(await run(key, [nested(3)])).toMatchObject({ outcome: "failed", error: "internal_error" });
  expect(await balance(platform, accountId)).toBe(FUNDS - PRICE);
});

it("goes on for an account whose queue is full", async () => {
  const full = await startTestPlatform({
    env: { MAX_QUEUED_PER_ACCOUNT: "3" },
    pools: [{ pool: "brain", slots: 1 }],
  });
  const { key } = await full.account(FUNDS);
  const nodes = Array.from({ length: 8 }, (_, nth) => ({ name: `n${nth}`, ms: 50 }));
  const id = await begin(full, key, "test-run", { nodes });
  await until(async () => (await full.request("POST", "/api/call/test-work", { key, body: {}, headers: { prefer: "respond-async" } })).status === 429); // prettier-ignore
  const body = await ended(full, key, id);
  expect(body.outcome).toBe("succeeded");
  expect(await full.database.violations()).toBe(0);
  await full.stop();
});

it("shares its pool fairly: the nodes of a run do not all go before another account's call", async () => {
  const shared = await startTestPlatform({ pools: [{ pool: "brain", slots: 2 }] });
  const [many, one] = [await shared.account(FUNDS), await shared.account(FUNDS)];
  const nodes = Array.from({ length: 16 }, (_, nth) => ({ name: `n${nth}`, ms: 1_000 }));
  const id = await begin(shared, many.key, "test-run", { nodes });
  const under = "select from calls where parent_id = $1 and state = 'running'";
  await until(async () => (await shared.database.owner.query(under, [id])).length === 2);
  const { body } = await shared.request("POST", "/api/call/test-work", {
    key: one.key,
    body: { text: "one" },
  });
  expect(body).toMatchObject({ outcome: "succeeded" });
  // What waits of the run when the call comes waits on: the next slot is the other account's, but for a claim or two that
  // did not see it yet.
  const before = await shared.database.owner.query(
    `select from calls c, calls o
      where c.parent_id = $1 and o.id = $2 and c.started_at > o.created_at and c.started_at < o.started_at`,
    [id, body.call_id],
  );
  expect(before.length).toBeLessThanOrEqual(2);
  expect(await ended(shared, many.key, id)).toMatchObject({ outcome: "succeeded" });
  const after = await shared.database.owner.query(
    "select from calls c, calls o where c.parent_id = $1 and o.id = $2 and c.started_at > o.started_at",
    [id, body.call_id],
  );
  expect(after.length).toBeGreaterThanOrEqual(4);
  await shared.stop();
});

it("tells a run's events in order, numbered without a gap, with its own kinds between the platform's", async () => {
  const { key } = await platform.account(FUNDS);
  const { id } = await start(key, { nodes: chain(3) });
  await ended(platform, key, id);
  const response = await fetch(`${platform.baseUrl}/api/calls/${id}/events`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const blocks = (await response.text()).split("\n\n").filter((block) => block.includes("event: "));
  expect(blocks.map((block) => /^event: (.*)$/m.exec(block)?.[1])).toEqual([
    "status",
    "status",
    "plan",
    "step",
    "step",
    "step",
    "completed", // prettier-ignore
  ]);
  expect(blocks.map((block) => Number(/^id: (.*)$/m.exec(block)?.[1]))).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it("shows a run that waits as running, without worker, lease or place in a queue", async () => {
  const { key } = await platform.account(FUNDS);
  const { id } = await start(key, { nodes: [{ name: "slow", ms: 15_000 }] });
  await until(async () => (await nodesOf(id))["slow"] === "started");
  expect(await row(platform, id)).toMatchObject({ state: "waiting", worker: null, lease_until: null });
  const { body } = await platform.request("GET", "/api/calls?status=running", { key });
  expect(body.calls.map((call: { call_id: string }) => call.call_id)).toContain(id);
  await platform.request("POST", `/api/calls/${id}/cancel`, { key });
  expect(await ended(platform, key, id)).toMatchObject({ outcome: "cancelled", refunded: true });
});

const openCalls = async (id: string): Promise<number> =>
  (
    await platform.database.owner.query(
      `with recursive parts as (
         select id, ended_at from calls where parent_id = $1
         union all select c.id, c.ended_at from calls c join parts p on c.parent_id = p.id)
       select from parts where ended_at is null`,
      [id],
    )
  ).length;

it.each([
  ["before it has begun", [], {}],
  [
    "while its nodes run",
    [
      { name: "a", ms: 15_000 },
      { name: "b", needs: ["a"] },
    ],
    { a: "cancelled", b: "cancelled" },
  ],
  ["while a run within it runs", [{ name: "a", slug: "test-run", input: { nodes: [{ name: "in", ms: 15_000 }] } }], { a: "cancelled" }], // prettier-ignore
])("cancels a run %s, and all that is part of it", async (when, nodes, states) => {
  const { id: accountId, key } = await platform.account(FUNDS);
  const { id } = await start(key, { nodes: nodes.length === 0 ? [{ name: "a", ms: 5_000 }] : nodes });
  if (nodes.length > 0) await until(async () => (await nodesOf(id))["a"] === "started");
  if (when.includes("within")) await until(async () => (await openCalls(id)) === 2);
  const { status } = await platform.request("POST", `/api/calls/${id}/cancel`, { key });
  expect(status).toBe(200);
  expect(await ended(platform, key, id)).toMatchObject({ outcome: "cancelled", refunded: true });
  if (nodes.length > 0) expect(await nodesOf(id)).toEqual(states);
  await until(async () => (await openCalls(id)) === 0);
  expect(await balance(platform, accountId)).toBe(FUNDS);
});

/** The deadline of a run is reached now, whatever it is at. */
const passDeadline = (id: string): Promise<unknown> =>
  platform.database.owner.query("update runs set deadline_at = clock_now() where id = $1", [id]);

it.each([
  ["while its nodes run", [{ name: "a", ms: 15_000 }]],
  [
    "while a node waits for its turn",
    [
      { name: "a", ms: 15_000 },
      { name: "b", needs: ["a"] },
    ],
  ],
])("ends a run at its deadline %s, with what is open of it", async (_, nodes) => {
  const { id: accountId, key } = await platform.account(FUNDS);
  const { id } = await start(key, { nodes });
  await until(async () => (await nodesOf(id))["a"] === "started");
  await passDeadline(id);
  const body = await ended(platform, key, id);
  expect(body).toMatchObject({ outcome: "expired", error: "deadline_exceeded", refunded: true });
  await until(async () => (await openCalls(id)) === 0);
  expect(await balance(platform, accountId)).toBe(FUNDS);
});

it("goes on under the rules of today with the graph and the document that an earlier version left", async () => {
  const own = await startTestPlatform({ pools: [] });
  const { owner } = own.database;
  const { key } = await own.account(FUNDS);
  const nodes = [{ name: "old" }, { name: "later", needs: ["old"] }];
  const id = await begin(own, key, "test-run", { text: "old run", nodes });
  const started = await until(async () => {
    const [node] = await owner.query<{ call_id: string }>(
      "select call_id from run_nodes where run_id = $1 and name = 'old' and state = 'started'",
      [id],
    );
    return node;
  });
  // No worker is there yet: nothing goes on until the run stands as the release before had left it.
  await owner.query("update runs set rules = 1, document = $2 where id = $1", [id, '["kept by version 1"]']);
  await owner.query("update run_nodes set version = '0.9.0' where call_id = $1", [started.call_id]);
  await own.addWorker([{ pool: "brain", slots: 2 }]);
  const body = await ended(own, key, id);
  expect(body).toMatchObject({
    outcome: "succeeded",
    result: { beganWith: 1, notes: ["kept by version 1", "old run later", "old run old"] },
  });
  expect(
    await owner.query("select name, version, state from run_nodes where run_id = $1 order by nth", [id]),
  ).toEqual([
    { name: "old", version: "0.9.0", state: "succeeded" },
    { name: "later", version: "1.0.0", state: "succeeded" },
  ]);
  const fresh = await begin(own, key, "test-run", { nodes: [{ name: "new" }] });
  expect((await ended(own, key, fresh)).result).toMatchObject({ beganWith: 2 });
  expect(await own.database.violations()).toBe(0);
  await own.stop();
});

it("takes back, when its rules say so, a node that runs and one that waits", async () => {
  const { key } = await platform.account(FUNDS);
  const { id, text } = await start(key, {
    race: ["slow", "later"],
    nodes: [{ name: "quick" }, { name: "slow", ms: 15_000 }, { name: "later", needs: ["slow"] }],
  });
  const body = await ended(platform, key, id);
  expect(body.result.states).toEqual({ quick: "succeeded", slow: "cancelled", later: "cancelled" });
  await until(async () => (await openCalls(id)) === 0);
  expect(await notesOf(text)).toEqual({ quick: 1 });
});

/** Further processes that advance runs, with connections of their own. */
async function withAdvancers(
  count: number,
  act: (runtimes: readonly Runtime[]) => Promise<void>,
): Promise<void> {
  const { config } = platform.runtime;
  const names = Array.from({ length: count }, (_, nth) => `advancer ${nth}`);
  const runtimes = await Promise.all(names.map((name) => createRuntime(config, platform.database.url, name)));
  await act(runtimes);
  for (const runtime of runtimes) await runtime.close();
}

it("advances each run once, however many advance it at the same time", async () => {
  const { key } = await platform.account(FUNDS);
  await withAdvancers(2, async (runtimes) => {
    const started = await Promise.all(
      Array.from({ length: 12 }, () => start(key, { nodes: chain(4), grow: 3 })),
    );
    let isOver = false;
    const racing = runtimes.map(async ({ runs }) => {
      while (!isOver) await Promise.all(started.map(({ id }) => runs.advance(id)));
    });
    for (const { id, text } of started) {
      expect(await ended(platform, key, id)).toMatchObject({ outcome: "succeeded" });
      expect(Object.values(await notesOf(text))).toEqual(Array.from({ length: 7 }, () => 1));
    }
    isOver = true;
    await Promise.all(racing);
  });
});

it("makes good, and counts, an advance that a dying process missed", async () => {
  const { key, id: accountId } = await platform.account(FUNDS);
  // Its API has died right after the commit: nobody advances what it settled.
  const input = JSON.stringify({ grow: 2, mistake: "none", nodes: [], race: [], text: "left behind" });
  const { items, outputs } = placeOutputs([
    {
      id: LEFT_BEHIND,
      account_id: accountId,
      slug: "test-run",
      version: "1.0.0",
      pool: "run",
      priority: 0,
      price: 0,
      currency: "MESH",
      state: "waiting",
      max_attempts: 3,
      timeout_ms: 1_000,
      deadline_ms: 60_000,
      input,
      input_sha256: "00".repeat(32),
      run_rules: 1,
    },
  ]);
  await platform.database.owner.query("select settle_calls($1, $2, 100)", [JSON.stringify(items), outputs]);
  const body = await until(async () => {
    const { body } = await platform.request("GET", `/api/calls/${LEFT_BEHIND}`, { key });
    return body.done === true && body;
  });
  expect(body).toMatchObject({ outcome: "succeeded", result: { grown: 2 } });
  const [{ repairs }] = (await platform.database.owner.query<{ repairs: number }>(
    "select repairs from runs where id = $1",
    [LEFT_BEHIND],
  )) as [{ repairs: number }];
  expect(repairs).toBeGreaterThan(0);
  const { db, runs } = platform.runtime;
  await sweepRuns(db, runs, () => undefined);
});
const LEFT_BEHIND = newId("call");

it("gives no node of a run that has ended to a worker, and keeps nothing that still comes for it", async () => {
  const { key } = await platform.account(FUNDS);
  const { id, text } = await start(key, { nodes: [{ name: "a", ms: 1_500 }] });
  await until(async () => (await nodesOf(id))["a"] === "started");
  const [child] = await platform.database.owner.query<{ id: string }>(
    "select id from calls where parent_id = $1",
    [id],
  );
  await until(async () => (await row(platform, child?.id ?? "")).state === "running");
  // The worker hears nothing of it before it reports.
  await platform.database.owner.query("update runs set ended_at = clock_now() where id = $1", [id]);
  await until(async () => (await row(platform, child?.id ?? "")).ended_at !== null);
  expect(await row(platform, child?.id ?? "")).toMatchObject({ state: "cancelled" });
  expect(await notesOf(text)).toEqual({});
  await platform.database.owner.query("update runs set ended_at = null, due_at = clock_now() where id = $1", [
    id,
  ]);
  await platform.request("POST", `/api/calls/${id}/cancel`, { key });
  expect(await ended(platform, key, id)).toMatchObject({ done: true });
});
