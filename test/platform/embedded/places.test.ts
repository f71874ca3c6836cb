import { cp, lstat, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EmbeddedPostgres } from "../../../src/platform/embedded/postgres.ts";
import { startPostgres } from "../../../src/platform/embedded/postgres.ts";
import { stopPostmaster } from "../../../src/platform/embedded/postmaster.ts";
import { closedDirectory, openDirectory } from "./directories.ts";
import { install, removeLinks } from "./installation.ts";
import type { Platform } from "./platform.ts";
import { crash, startPlatform } from "./platform.ts";
import { query } from "./query.ts";

const isRoot = process.getuid?.() === 0;

it("makes the library links that an installation without scripts lacks", async () => {
  const directory = await openDirectory();
  const { program, libraries } = await install(directory);
  const links = JSON.parse(await readFile(join(libraries, "pg-symlinks.json"), "utf8")) as {
    target: string;
  }[];
  await removeLinks(libraries, links);
  const { url } = await startInstallation(join(directory, "data"), program);
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  const made = await lstat(join(dirname(libraries), links[0]?.target ?? ""));
  expect(made.isSymbolicLink()).toBe(true);
});

describe.skipIf(!isRoot)("as root", () => {
  it("runs the server as another user, who owns the data and nothing else", async () => {
    const dataDir = await openDirectory();
    await start(dataDir);
    expect((await stat(join(dataDir, "postgres"))).uid).not.toBe(0);
    expect((await stat(join(dataDir, "postgres.log"))).uid).toBe(0);
  });

  it("keeps the data elsewhere when only root may enter the directory", async () => {
    const dataDir = join(await closedDirectory(), "data");
    const first = await start(dataDir);
    await query(first.url, "create table kept as select 1 as one");
    await first.stop();
    expect((await lstat(join(dataDir, "postgres"))).isSymbolicLink()).toBe(true);
    const second = await start(dataDir);
    expect(await query(second.url, "select one from kept")).toEqual([{ one: 1 }]);
  });

  it("removes data that no directory links to any more, but never those of a directory that was moved", async () => {
    const parent = await closedDirectory();
    const [removed, moved, another] = ["removed", "moved", "another"].map((name) => join(parent, name)) as [
      string,
      string,
      string,
    ];
    const removedHome = await makeDatabase(removed);
    const movedHome = await makeDatabase(moved);
    await rm(removed, { recursive: true });
    await rename(moved, `${moved}-away`);
    await start(another);
    await expect(stat(removedHome)).rejects.toThrow("ENOENT");
    const postgres = await start(`${moved}-away`);
    expect(await realpath(join(`${moved}-away`, "postgres"))).toBe(movedHome);
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("refuses the copy of a directory whose database lies elsewhere", async () => {
    const parent = await closedDirectory();
    await start(join(parent, "first"));
    await cp(join(parent, "first"), join(parent, "copy"), { recursive: true, verbatimSymlinks: true });
    await expect(startPostgres({ dataDir: join(parent, "copy") })).rejects.toThrow("is a copy");
  });

  it("refuses to begin with an empty database when the one that it links to is gone", async () => {
    const dataDir = join(await closedDirectory(), "data");
    const home = await makeDatabase(dataDir);
    await rm(home, { recursive: true });
    await expect(start(dataDir)).rejects.toThrow("is gone");
  });

  it("runs a copy of the programs when only root may enter the installation", async () => {
    const directory = await closedDirectory();
    const { program } = await install(directory);
    const { url } = await startInstallation(join(directory, "data"), program);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir });
  const home = dirname(await realpath(join(dataDir, "postgres")));
  onTestFinished(async () => {
    await postgres.stop();
    // What lies outside of the test's directory does not go with it.
    if (home !== dataDir) await rm(home, { recursive: true, force: true });
  });
  return postgres;
}

async function startInstallation(dataDir: string, program: string): Promise<Platform> {
  const platform = await startPlatform(dataDir, program);
  const home = dirname(await realpath(join(dataDir, "postgres")));
  onTestFinished(async () => {
    // First the platform, which would start its server again.
    await crash(platform.process);
    await stopPostmaster(platform.pid);
    if (home !== dataDir) await rm(home, { recursive: true, force: true });
  });
  return platform;
}

/** Starts and stops a database and gives the place of its files. */
async function makeDatabase(dataDir: string): Promise<string> {
  const postgres = await startPostgres({ dataDir });
  await postgres.stop();
  return realpath(join(dataDir, "postgres"));
}
