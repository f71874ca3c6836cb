import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createKey, listKeys } from "../../src/core/accounts/api-keys.ts";
import { Authenticator } from "../../src/core/accounts/authenticate.ts";
import { POOLS } from "../../src/core/catalog/define.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { createKeyRing } from "../../src/core/secrets/key-ring.ts";
import { openSecrets, rotateSecret } from "../../src/core/webhooks/secrets.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openAccount } from "../database/support.ts";

const ROOT = join(import.meta.dirname, "..", "..");

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "meshforge-commands-"));
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Runs the command line as an operator does, in a process of its own. */
async function meshforge(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { DATABASE_URL: database.url },
): Promise<Ended> {
  const child = spawn(process.execPath, ["src/meshforge.js", ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return await new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

/** It fails with one line for a person: no stack, and nothing on the standard output. */
function expectRefused({ code, out, err }: Ended, why: string | RegExp): void {
  expect(err).toMatch(why);
  expect(code).toBe(1);
  expect(out).toBe("");
  expect(err).not.toMatch(/\n\s+at /);
}

describe("meshforge", () => {
  it("tells its version", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(await meshforge(["--version"], {})).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it.each([
    ["up", {}],
    ["worker", { pools: "brain" }],
  ])(
    "names the DATA_DIR that %s cannot write to, and what to do",
    async (command, { pools }: { pools?: string }) => {
      // Nobody makes a directory below a file, not even root.
      const path = join(ROOT, "package.json", "data");
      const env = { DATA_DIR: path, PORT: "0", TOOL_API_PORT: "0", OPS_PORT: "0" };
      const args = pools === undefined ? [command] : [command, pools];
      const ended = await meshforge(args, pools === undefined ? env : { ...env, DATABASE_URL: database.url });
      expectRefused(
        ended,
        `DATA_DIR ${path} cannot be used: a part of its path is a file (ENOTDIR). Make it`,
      );
    },
  );

  it("ends an API whose port is in use with exit code 1, and says which it is", async () => {
    const holder = createServer().listen(0, "0.0.0.0");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    const free = { DATABASE_URL: database.url, TOOL_API_PORT: "0", OPS_PORT: "0" };
    const ended = await meshforge(["api"], { ...free, PORT: String(port) });
    holder.close();
    expectRefused(ended, `PORT: port ${port} on 0.0.0.0 is in use. Stop the program`);
  });

  it("refuses one port for two surfaces", async () => {
    const ended = await meshforge(["api"], {
      DATABASE_URL: database.url,
      PORT: "4999",
      TOOL_API_PORT: "4999",
      OPS_PORT: "0",
    });
    expectRefused(ended, "PORT and TOOL_API_PORT are both 4999. Give each a port of its own.");
  });

  it("says without a stack what offline models cannot listen on", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    const ended = await meshforge(["offline-models", "--port", String(port)], {});
    holder.close();
    expectRefused(ended, `--port: port ${port} on 127.0.0.1 is in use.`);
  });
});

describe("meshforge account", () => {
  it("prints a new key without limits, and nothing else, also where the account has as many as it may", async () => {
    const { id } = await openAccount(database.owner, 1);
    const wish = { name: "k", expiresAt: null, spendLimit: null };
    const [first] = await database.owner.query<{ id: string }>(
      "select id from api_keys where account_id = $1",
      [id],
    );
    const manager = { accountId: id, keyId: first?.id ?? "" };
    for (let n = 1; n < LIMITS.keysPerAccount; n++) await createKey(database.owner, manager, wish);
    await expect(createKey(database.owner, manager, wish)).rejects.toMatchObject({ code: "invalid_input" });
    const { code, out, err } = await meshforge(["account", "key", id]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^mf_[0-9A-Za-z]{38}\n$/);
    const holder = await new Authenticator(database.owner, () => undefined).authenticate(out.trim());
    expect(holder).toMatchObject({ accountId: id, restricted: false });
    const keys = await listKeys(database.owner, id);
    expect(keys).toHaveLength(LIMITS.keysPerAccount + 1);
    expect(keys.filter(({ revoked_at }) => revoked_at !== null)).toEqual([]);
    expect(keys[0]).toMatchObject({ name: "made by an operator", expires_at: null, spend_limit: null });
  });

  it("makes no key for an account that is not there", async () => {
    expectRefused(await meshforge(["account", "key", "nobody-here"]), "There is no account nobody-here");
  });

  it("grants MESH and dollars as ledger entries, and shows them", async () => {
    const { id } = await openAccount(database.owner, 100);
    expect(await meshforge(["account", "grant", id, "25", "MESH"])).toMatchObject({
      code: 0,
      out: `${id} holds 125 MESH now.\n`,
    });
    expect(await meshforge(["account", "grant", id, "0.29", "USD"])).toMatchObject({
      code: 0,
      out: `${id} holds 0.29 USD now.\n`,
    });
    const { code, out } = await meshforge(["account", "show", id]);
    expect(code).toBe(0);
    expect(out).toContain(`${id} (${id}, free): 125 MESH, 0.29 USD`);
    expect(out).toMatch(/grant\s+25\s+125\s+MESH\s+granted by an operator/);
    expect(out).toMatch(/grant\s+0\.29\s+0\.29\s+USD/);
    const entries = await database.owner.query(
      "select kind, delta from ledger where account_id = $1 and memo = 'granted by an operator' order by id",
      [id],
    );
    expect(entries).toEqual([
      { kind: "grant", delta: 25 },
      { kind: "grant", delta: 290_000 },
    ]);
  });

  it("refuses to grant what is no amount, and grants nothing", async () => {
    const { id } = await openAccount(database.owner, 100);
    for (const [amount, currency] of [
      ["1.5", "MESH"],
      ["0", "MESH"],
      ["x", "USD"],
      ["1.1234567", "USD"],
      ["0.00", "USD"],
      ["5", "EUR"],
      ["1e3", "MESH"],
    ] as const) {
      expectRefused(await meshforge(["account", "grant", id, amount, currency]), /meshforge: /);
    }
    expect(await database.owner.query("select from ledger where account_id = $1", [id])).toHaveLength(1);
  });

  it("sets the tier, for good or for days", async () => {
    const { id } = await openAccount(database.owner, 0);
    const until = async (): Promise<unknown> =>
      (
        await database.owner.query(
          "select tier, tier_until - clock_timestamp() > interval '29 days' as long from accounts where id = $1",
          [id],
        )
      )[0];
    expect(await meshforge(["account", "tier", id, "vip"])).toMatchObject({
      code: 0,
      out: `${id} is vip now.\n`,
    });
    expect(await until()).toEqual({ tier: "vip", long: null });
    expect((await meshforge(["account", "tier", id, "vip", "--days", "30"])).code).toBe(0);
    expect(await until()).toEqual({ tier: "vip", long: true });
    expect(await meshforge(["account", "tier", id, "free"])).toMatchObject({
      code: 0,
      out: `${id} is free now.\n`,
    });
    expect(await until()).toEqual({ tier: "free", long: null });
  });

  it.each([
    [["account", "show", "nobody"], "There is no account nobody"],
    [["account", "grant", "nobody", "5", "MESH"], "There is no account nobody"],
    [["account", "tier", "nobody", "vip"], "There is no account nobody"],
    [["account", "tier", "nobody", "gold"], "The tier is vip or free"],
    [["account", "tier", "nobody", "vip", "--days", "0"], "whole number"],
    [["account", "tier", "nobody", "vip", "--days", "x"], "whole number"],
    [["account", "grant", "nobody", "5"], "missing required argument"],
    [["account", "show"], "missing required argument"],
    [["account", "close", "nobody"], "unknown command"],
    [["nonsense"], "unknown command"],
  ] as const)("refuses %j", async (args, why) => {
    expectRefused(await meshforge(args), why);
  });
});

describe("meshforge audit", () => {
  it("prints every invariant, as a table or as JSON, and ends with 0 when all hold", async () => {
    const table = await meshforge(["audit"]);
    expect(table.code).toBe(0);
    expect(table.out).toContain("Every invariant holds.");
    for (let n = 1; n <= 12; n++) expect(table.out).toMatch(new RegExp(`^I${n} .+ 0$`, "m"));
    const json = await meshforge(["audit", "--json"]);
    expect(json.code).toBe(0);
    const { ok, checks } = JSON.parse(json.out);
    expect(ok).toBe(true);
    expect(checks[0]).toEqual({ id: "I1", name: expect.any(String), violations: 0 });
  });

  it("ends with 1 on a violation, and says which", async () => {
    const own = await createTestDatabase();
    const { id } = await openAccount(own.owner, 100);
    await own.owner.query(
      `set session_replication_role = replica; update balances set amount = 101 where account_id = '${id}' and currency = 'MESH'; set session_replication_role = origin`,
    );
    const env = { DATABASE_URL: own.url };
    const table = await meshforge(["audit"], env);
    expect(table.code).toBe(1);
    expect(table.out).toContain("VIOLATIONS FOUND");
    const json = await meshforge(["audit", "--json"], env);
    expect(json.code).toBe(1);
    expect(
      JSON.parse(json.out).checks.filter(({ violations }: { violations: number }) => violations > 0),
    ).toEqual([{ id: "I1", name: expect.any(String), violations: 1 }]);
    await own.drop();
  });
});

describe("meshforge pools", () => {
  it("shows every pool, as a table or as JSON", async () => {
    const table = await meshforge(["pools"]);
    expect(table.code).toBe(0);
    for (const pool of POOLS) expect(table.out).toMatch(new RegExp(`^${pool} `, "m"));
    const json = await meshforge(["pools", "--json"]);
    expect(JSON.parse(json.out).pools.map(({ pool }: { pool: string }) => pool)).toEqual(POOLS);
  });

  it("shows when each scheduled job last ran and failed", async () => {
    const [ran, failed] = ["2026-01-02T03:04:05.000Z", "2026-01-01T00:00:00.000Z"];
    await database.owner.query(
      `insert into schedules (name, every_ms, due_at, last_ran_at, last_failed_at)
       values ('count-stars', 60000, clock_timestamp(), $1, $2), ('not-yet', 500, clock_timestamp(), null, null)`,
      [ran, failed],
    );
    const table = await meshforge(["pools"]);
    expect(table.out).toMatch(new RegExp(`^count-stars +60000 +${ran} +${failed}$`, "m"));
    expect(table.out).toMatch(/^not-yet +500 +- +-$/m);
    expect(JSON.parse((await meshforge(["pools", "--json"])).out).schedules).toEqual([
      { name: "count-stars", every_ms: 60_000, last_ran_at: ran, last_failed_at: failed },
      { name: "not-yet", every_ms: 500, last_ran_at: null, last_failed_at: null },
    ]);
  });
});

const withEmptyDatabase = async (use: (env: { DATABASE_URL: string }) => Promise<void>): Promise<void> => {
  const server = new pg.Client({ connectionString: inject("databaseUrl") });
  await server.connect();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await server.query(`create database ${name}`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  try {
    await use({ DATABASE_URL: url.href });
  } finally {
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  }
};

describe("meshforge migrate", () => {
  it("brings an empty database up to date, once, also when several do it at the same time", () =>
    withEmptyDatabase(async (env) => {
      const both = await Promise.all([meshforge(["migrate"], env), meshforge(["migrate"], env)]);
      expect(both.map(({ code, err }) => ({ code, err }))).toEqual([
        { code: 0, err: "" },
        { code: 0, err: "" },
      ]);
      const said = both.map(({ out }) => out).toSorted((a, b) => a.localeCompare(b));
      expect(said[0]).toMatch(
        /^Ran 0001_accounts_and_ledger\.sql, .+\. Applied \d+ files of functions, triggers and grants\.\n$/,
      );
      expect(said[1]).toBe("The schema is up to date.\n");
      expect(await meshforge(["migrate"], env)).toEqual({
        code: 0,
        out: "The schema is up to date.\n",
        err: "",
      });
      expect((await meshforge(["audit"], env)).code).toBe(0);
    }));

  it("refuses a database that another, unreleased version made", () =>
    withEmptyDatabase(async (env) => {
      expect((await meshforge(["migrate"], env)).code).toBe(0);
      const client = new pg.Client({ connectionString: env.DATABASE_URL });
      await client.connect();
      await client.query("update migrations set sha256 = 'other' where name = '0002_calls.sql'");
      await client.end();
      expectRefused(await meshforge(["migrate"], env), /0002_calls\.sql.*empty DATA_DIR/);
    }));
});

describe("a program and a schema that do not fit", () => {
  const commands = [["api"], ["worker", "system"], ["audit"]];

  it("end a process at once, with one line and code 1, where there is no schema or an older one", () =>
    withEmptyDatabase(async (env) => {
      for (const command of commands) {
        expectRefused(await meshforge(command, env), /^meshforge: .*run `meshforge migrate` first\.\n$/);
      }
      expect((await meshforge(["migrate"], env)).code).toBe(0);
      await ownerOf(env, "update schema_version set version = 0");
      for (const command of commands) {
        expectRefused(
          await meshforge(command, env),
          /^meshforge: .*version 0, .*`meshforge migrate` first\.\n$/,
        );
      }
    }));

  it("end a process at once where a newer schema no longer takes it; migrating is refused as well", () =>
    withEmptyDatabase(async (env) => {
      expect((await meshforge(["migrate"], env)).code).toBe(0);
      await ownerOf(env, "update schema_version set version = 99, oldest_program = 98");
      for (const command of commands) {
        expectRefused(await meshforge(command, env), /^meshforge: .*from version 98 on.*up to date\.\n$/);
      }
      expectRefused(await meshforge(["migrate"], env), /^meshforge: .*version 99.*newer program\.\n$/);
      await ownerOf(env, "update schema_version set version = 99, oldest_program = 1");
      expect((await meshforge(["audit"], env)).code).toBe(0);
    }));
});

async function ownerOf(env: { readonly DATABASE_URL: string }, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe("a command without a database", () => {
  it("says how to get one", async () => {
    expectRefused(await meshforge(["audit"], {}), /Nothing runs on .+ DATABASE_URL/);
  });

  it("says which settings are wrong, all of them", async () => {
    const ended = await meshforge(["pools"], { DATABASE_URL: "mysql://user:hunter2@x", PORT: "none" });
    expectRefused(ended, /DATABASE_URL/);
    expect(ended.err).toContain("PORT");
    expect(ended.err).not.toContain("hunter2");
  });

  it("is refused by a schema that was never made with one line", async () => {
    const server = inject("databaseUrl");
    expectRefused(await meshforge(["audit"], { DATABASE_URL: server }), /meshforge: .*meshforge migrate/);
    expectRefused(
      await meshforge(["account", "show", "x"], { DATABASE_URL: server }),
      /meshforge: .*meshforge migrate/,
    );
  });
});

describe("meshforge secrets rotate", () => {
  const keys = [1, 2].map((fill) => Buffer.alloc(32, fill));
  const [OLD, NEW] = keys.map((key) => key.toString("base64")) as [string, string];
  const [old, rotated, current] = [
    createKeyRing(keys[0]!, null),
    createKeyRing(keys[1]!, keys[0]!),
    createKeyRing(keys[1]!, null),
  ];

  it("seals anew what the previous key sealed, so that it may go, and changes nothing the second time", async () => {
    const { id } = await openAccount(database.owner, 1);
    const secrets = [
      await rotateSecret(database.owner, old, { accountId: id, keyId: null }),
      await rotateSecret(database.owner, rotated, { accountId: id, keyId: null }),
    ];
    const sealed = async (): Promise<string[]> =>
      (
        await database.owner.query<{ secret: string }>(
          "select secret from webhook_secrets where account_id = $1 order by id",
          [id],
        )
      ).map(({ secret }) => secret);
    const before = await sealed();
    expect(() => openSecrets(current, id, before)).toThrow(old.current.id);

    const env = { DATABASE_URL: database.url, SECRET_KEY: NEW };
    expectRefused(await meshforge(["secrets", "rotate"], env), old.current.id);
    const settings = { ...env, SECRET_KEY_PREVIOUS: OLD };
    expect(await meshforge(["secrets", "rotate"], settings)).toMatchObject({
      code: 0,
      out: `1 secrets were sealed anew with the key ${current.current.id}; nothing needs another one now.\n`,
    });
    const after = await sealed();
    expect(openSecrets(current, id, after)).toEqual(secrets);
    expect(after[1]).toBe(before[1]);
    expect((await meshforge(["secrets", "rotate"], settings)).out).toMatch(/^0 secrets/);
    expect(await sealed()).toEqual(after);
  });
});
