import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Run } from "../../../src/platform/embedded/run-file.ts";
import { removeRunFile, writeRunFile } from "../../../src/platform/embedded/run-file.ts";
import { openDirectory } from "./directories.ts";

const RUN: Run = {
  pid: 1,
  databaseUrl: "postgres://meshforge:secret@127.0.0.1:15432/meshforge",
  redisUrl: null,
  baseUrl: "http://localhost:4000",
  apiUrl: "http://localhost:4001",
  opsUrl: "http://127.0.0.1:4002",
  processes: [{ name: "worker-cam", pools: ["cam"], pid: 2 }],
};

it("tells what runs, to the owner only, and leaves nothing else behind", async () => {
  const dataDir = await openDirectory();
  writeRunFile(dataDir, { ...RUN, processes: [] });
  writeRunFile(dataDir, RUN);
  expect(JSON.parse(await readFile(join(dataDir, "run.json"), "utf8"))).toEqual(RUN);
  expect((await stat(join(dataDir, "run.json"))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(["run.json"]);
});

it("is removed at the end, also when it is gone already", async () => {
  const dataDir = await openDirectory();
  writeRunFile(dataDir, RUN);
  removeRunFile(dataDir);
  removeRunFile(dataDir);
  expect(await readdir(dataDir)).toEqual([]);
});
