import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { EmbeddedPostgres } from "../../../src/platform/embedded/postgres.ts";
import { startPostgres } from "../../../src/platform/embedded/postgres.ts";
import { isAlive } from "../../../src/platform/embedded/process-table.ts";
import { lastingDirectory, openDirectory, removeDirectory } from "./directories.ts";
import { crash, launchPlatform, startPlatform } from "./platform.ts";
import { query } from "./query.ts";
import { letPass } from "../../support/let-pass.ts";
import { until } from "../../support/until.ts";

/** Made once, as making one takes longer than all else here; each test starts and stops a server on it. */
let dataDir: string;

beforeAll(async () => {
  dataDir = join(await lastingDirectory(), "data");
  const postgres = await startPostgres({ dataDir });
  await query(postgres.url, "create table kept as select 1 as one");
  await postgres.stop();
});

afterAll(() => removeDirectory(dirname(dataDir)));

it("keeps its data over a stop", async () => {
  const { url } = await start();
  expect(await query(url, "select one from kept")).toEqual([{ one: 1 }]);
});

it("stops the server with all of its processes", async () => {
  const postgres = await start();
  await postgres.stop();
  expect(await isAlive(postgres.pid)).toBe(false);
  await expect(query(postgres.url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

it("lets nobody in without the password", async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = "wrong";
  await expect(query(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
});

it("gives a UTF-8 database that belongs to its user, with fsync and checksums on", async () => {
  const { url } = await start();
  const [settings] = await query(
    url,
    `select current_user::text as me, pg_get_userbyid(datdba)::text as owner, upper('é') as upper,
       pg_encoding_to_char(encoding)::text as encoding, current_setting('fsync') as fsync,
       current_setting('data_checksums') as checksums
     from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual({
    me: "meshforge",
    owner: "meshforge",
    upper: "É",
    encoding: "UTF8",
    fsync: "on",
    checksums: "on",
  });
});

it("takes over the server of a platform that was killed, and notices when it dies", async () => {
  const killed = await startPlatform(dataDir);
  await crash(killed.process);

  const postgres = await start();
  expect({ url: postgres.url, pid: postgres.pid }).toEqual({ url: killed.url, pid: killed.pid });

  const restarted = nextRestart(postgres);
  process.kill(killed.pid, "SIGKILL");
  await restarted;
  expect(postgres.pid).not.toBe(killed.pid);
  expect(await query(postgres.url, "select one from kept")).toEqual([{ one: 1 }]);
});

it("starts a dead server again on the same address, also under a running statement", async () => {
  const postgres = await start();
  const busy = expect(query(postgres.url, "select count(*) from generate_series(1, 1e12)")).rejects.toThrow(
    "terminated",
  );
  await until(async () => {
    const [row] = await query(
      postgres.url,
      "select count(*)::int as n from pg_stat_activity where query like '%1e12%'",
    );
    return row?.["n"] === 2;
  });
  const exits = vi.fn<() => void>();
  postgres.onExit(exits);
  const restarted = nextRestart(postgres);
  process.kill(postgres.pid, "SIGKILL");
  await restarted;
  await busy;
  expect(exits).toHaveBeenCalledOnce();
  expect(await query(postgres.url, "select one from kept")).toEqual([{ one: 1 }]);
});

it("survives being killed again and again", async () => {
  const postgres = await start();
  for (let times = 0; times < 3; times += 1) {
    const restarted = nextRestart(postgres);
    process.kill(postgres.pid, "SIGKILL");
    await restarted;
  }
  expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

it("stops for good although the server has died just before", async () => {
  const postgres = await start();
  process.kill(postgres.pid, "SIGKILL");
  await postgres.stop();
  await letPass(300);
  await expect(query(postgres.url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

it("is not hindered by a postmaster.pid whose process id another program has got", async () => {
  const first = await start();
  const file = join(dataDir, "postgres/postmaster.pid");
  const lines = (await readFile(file, "utf8")).split("\n");
  await first.stop();
  await writeFile(file, [process.pid, ...lines.slice(1)].join("\n"));
  const second = await start();
  expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

it("leaves no half-made database when it is killed while it makes one", async () => {
  const fresh = await openDirectory();
  const killed = launchPlatform(fresh);
  await until(async () => (await unfinished(fresh)).length === 1);
  await crash(killed);
  expect(await readdir(fresh)).not.toContain("postgres");
  const { url } = await start(fresh);
  expect(await unfinished(fresh)).toEqual([]);
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
});

it("says what the server said when it does not start", async () => {
  const versionFile = join(dataDir, "postgres/PG_VERSION");
  const version = await readFile(versionFile, "utf8");
  onTestFinished(() => writeFile(versionFile, version));
  await writeFile(versionFile, "9.6\n");
  await expect(start()).rejects.toThrow("initialized by PostgreSQL version 9.6");
});

async function start(directory = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir: directory });
  onTestFinished(() => postgres.stop());
  return postgres;
}

function nextRestart(postgres: EmbeddedPostgres): Promise<void> {
  return new Promise((resolve) => {
    postgres.onRestart(resolve);
  });
}

async function unfinished(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith("postgres.new-"));
}
