import { afterEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/adapters/postgres/migrate.ts";
import { readSchema, type Schema, type SchemaFile } from "../../src/adapters/postgres/schema-files.ts";
import { checkVersion, SCHEMA_VERSION } from "../../src/adapters/postgres/schema-version.ts";
import { sha256Hex } from "../../src/core/canonical.ts";
import { type CallView, readCalls } from "../../src/core/calls/call.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { readSchemaCatalog } from "../support/schema-catalog.ts";
import { claim, end, makeCapability, openAccount, openSession, settle, settleOne } from "./support.ts";
import { letPass } from "../support/let-pass.ts";

const opened: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.drop()));
});
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase("template0");
  opened.push(database);
  return database;
}

const file = (name: string, sql: string): SchemaFile => ({ name, sql, sha256: sha256Hex(sql) });
const withNumbered = (schema: Schema, ...files: readonly SchemaFile[]): Schema => ({
  ...schema,
  numbered: [...schema.numbered, ...files],
});

const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id);

/** A file that makes one index without holding up those who write. */
const concurrentIndex = (sql: string): SchemaFile => file("9001_i.sql", `-- concurrently\n${sql};\n`);

/** The last release. Until there is one, its schema is this one's. */
const lastRelease = readSchema;

/**
 * What a release may bring, in every kind of file there is: a table that grows and is filled, another one, an index of a
 * big table, a function with another result, one with other arguments, a trigger and a grant.
 */
async function nextRelease(): Promise<Schema> {
  const last = await lastRelease();
  const edited: Record<string, (sql: string) => string> = {
    "functions/tidy.sql": (sql) => sql.replace("interval '24 hours'", "interval '25 hours'"),
    "functions/spend_window.sql": (sql) =>
      `drop function if exists spend_window(text, timestamptz);\n${sql.replace("p_at timestamptz)", "p_at timestamptz, p_zone text default 'UTC')")}`,
  };
  const repeatable = last.repeatable.map(({ name, sql }) => file(name, edited[name]?.(sql) ?? sql));
  for (const name of Object.keys(edited)) {
    const [before, after] = [last, { repeatable }].map((one) =>
      one.repeatable.find((it) => it.name === name),
    );
    expect(after?.sha256).not.toBe(before?.sha256);
  }
  const last_ = repeatable.findIndex(({ name }) => name.includes("triggers/"));
  repeatable.splice(
    last_,
    0,
    file(
      "functions/zz_note.sql",
      "create or replace function note_is_kept() returns trigger language plpgsql as $$ begin return new; end $$;",
    ),
  );
  repeatable.push(
    file(
      "triggers/zz_notes.sql",
      "create or replace trigger notes before insert on release_notes for each row execute function note_is_kept();",
    ),
    file("grants/zz_notes.sql", "grant select on release_notes to meshforge_app;"),
  );
  return {
    ...withNumbered(
      { ...last, repeatable },
      file(
        "9001_notes.sql",
        `create table release_notes (id bigint generated always as identity primary key, note text not null);
         alter table accounts add column note text not null default '';
         update accounts set note = handle;`,
      ),
      file(
        "9002_ledger_memo.sql",
        "-- concurrently\ncreate index concurrently if not exists ledger_memo on ledger (account_id, memo);\n",
      ),
    ),
    version: last.version + 1,
    oldestProgram: last.version,
  };
}

/** Calls in every state, with their money, on a database of a release. */
async function useIt({ owner, app }: TestDatabase): Promise<string[]> {
  await makeCapability(owner);
  const account = await openAccount(owner, 1_000);
  const settled = await settle(
    app,
    (["succeeded", "failed", "queued", "queued", "queued", "queued"] as const).map((state) => ({
      account_id: account.id,
      key_id: account.keyId,
      state,
      idempotency_key: null,
    })),
  );
  const [first, second] = await claim(app, "w", 3);
  if (first === undefined || second === undefined) throw new Error("nothing was claimed");
  await end(app, [
    { ...first, worker: "w", state: "succeeded" },
    { ...second, worker: "w", state: "failed" },
  ]);
  return settled.map(({ call_id }) => call_id);
}

/** A call without what changes while nobody touches it: how long it has lasted, and who lately served its pool. */
const withoutTime = (call: CallView) => ({ ...call, durationMs: 0, queue: call.queue?.position ?? null });

describe("an upgrade", () => {
  it("gives a database of the last release, with its data, the schema of a fresh one, and keeps the data", async () => {
    const [old, fresh] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(old.url, await lastRelease());
    const ids = await useIt(old);
    const before = await readCalls(old.app, ids);
    const next = await nextRelease();

    const { ran, applied } = await migrate(old.url, next);
    expect(ran).toEqual(["9001_notes.sql", "9002_ledger_memo.sql"]);
    expect(applied).toEqual(expect.arrayContaining(["functions/tidy.sql", "grants/0_application_role.sql"]));
    expect(applied).not.toContain("functions/settle_calls.sql");
    await migrate(fresh.url, next);
    expect(await readSchemaCatalog(old.owner)).toEqual(await readSchemaCatalog(fresh.owner));

    expect(await old.violations()).toBe(0);
    const still = (await readCalls(old.app, ids)).map(withoutTime);
    expect(still.toSorted(byId)).toEqual(before.map(withoutTime).toSorted(byId));
    expect(await old.owner.query("select from accounts where note <> handle")).toEqual([]);
    const left = await claim(old.app, "w2");
    await end(
      old.app,
      left.map((call) => ({ ...call, worker: "w2", state: "succeeded" })),
    );
    expect(left).toHaveLength(1);
    expect(await old.violations()).toBe(0);
    expect(await migrate(old.url, next)).toEqual({ ran: [], applied: [] });
  });

  it("waits for a table that somebody works on, and tries again", async () => {
    const { url, owner } = await emptyDatabase();
    await migrate(url);
    const other = await openSession(url);
    await other.query("begin; lock table accounts in access exclusive mode");
    let done = false;
    const migrating = migrate(
      url,
      withNumbered(await readSchema(), file("9001_a.sql", "alter table accounts add column a integer")),
    ).finally(() => {
      done = true;
    });
    // Longer than the migration waits for a lock at a time.
    const waits =
      "select from pg_stat_activity where application_name = 'meshforge migrate' and wait_event_type = 'Lock' and datname = current_database()";
    for (let seen = 0, waiting = false; seen < 2;) {
      const now = (await owner.query(waits)).length > 0;
      if (now && !waiting) seen++;
      waiting = now;
      await letPass(20);
    }
    expect(done).toBe(false);
    await other.query("commit");
    await other.end();
    expect((await migrating).ran).toEqual(["9001_a.sql"]);
  });

  it("makes a concurrent index anew when an attempt left an invalid one behind", async () => {
    const database = await emptyDatabase();
    await migrate(database.url);
    const same = ["one", "two"].map(() => openAccount(database.owner, 0));
    await Promise.all(same);
    const unique = "create unique index concurrently if not exists accounts_once on accounts (tier)";
    const schema = await readSchema();
    await expect(migrate(database.url, withNumbered(schema, concurrentIndex(unique)))).rejects.toThrow(
      /9001_i\.sql/,
    );
    const left = "select indisvalid as valid from pg_index where indexrelid = to_regclass('accounts_once')";
    expect(await database.owner.query(left)).toEqual([{ valid: false }]);
    await migrate(database.url, withNumbered(schema, concurrentIndex(unique.replace("unique ", ""))));
    expect(await database.owner.query(left)).toEqual([{ valid: true }]);
  });

  it("says which file is wrong, and leaves the schema as it was", async () => {
    const database = await emptyDatabase();
    const schema = await readSchema();
    await migrate(database.url, schema);
    const before = await readSchemaCatalog(database.owner);
    const wrong = {
      ...schema,
      repeatable: [
        file("functions/a.sql", "create function a() returns integer language sql as $$ select 1 $$;"),
        file("functions/b.sql", "create function b( returns nothing"),
      ],
    };
    await expect(migrate(database.url, wrong)).rejects.toThrow(/^migration functions\/b\.sql: syntax error/);
    expect(await readSchemaCatalog(database.owner)).toEqual(before);
  });
});

describe("versions", () => {
  it("migrate refuses a schema that is newer than it knows, and changes nothing", async () => {
    const database = await emptyDatabase();
    const next = await nextRelease();
    await migrate(database.url, next);
    const before = await readSchemaCatalog(database.owner);
    await expect(migrate(database.url)).rejects.toThrow(
      `has version ${next.version}, and this program knows none after ${SCHEMA_VERSION}`,
    );
    expect(await readSchemaCatalog(database.owner)).toEqual(before);
  });

  it("a program runs on the schema that it knows and on newer ones that still take it", () => {
    expect(() => checkVersion(null, 3)).toThrow(/no schema: run `meshforge migrate` first/);
    expect(() => checkVersion({ version: 2, oldestProgram: 1 }, 3)).toThrow(/version 2.*needs 3.*migrate/);
    expect(() => checkVersion({ version: 5, oldestProgram: 4 }, 3)).toThrow(/from version 4 on.*up to date/);
    for (const stored of [
      { version: 3, oldestProgram: 3 },
      { version: 3, oldestProgram: 1 },
      { version: 7, oldestProgram: 3 },
    ])
      expect(() => checkVersion(stored, 3)).not.toThrow();
  });
});

it("every function is valid by itself: while they are applied their bodies are not looked at", async () => {
  const database = await emptyDatabase();
  await migrate(database.url);
  const functions = await database.owner.query<{ name: string; sql: string }>(
    `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as sql from pg_proc p
      join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')`,
  );
  expect(functions.length).toBeGreaterThan(30);
  for (const { name, sql } of functions) {
    await expect(database.owner.query(sql), name).resolves.toEqual([]);
  }
  expect(await settleOneWorks(database)).toBe(true);
});

async function settleOneWorks({ owner, app }: TestDatabase): Promise<boolean> {
  await makeCapability(owner);
  const { id } = await openAccount(owner, 10);
  return (await settleOne(app, { account_id: id })).startsWith("call_");
}
