import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { acquireLock, AlreadyRunning } from "../../../src/platform/embedded/lock.ts";
import { openDirectory } from "./directories.ts";
import { crash } from "./platform.ts";

const PROGRAM = fileURLToPath(new URL("hold-lock.ts", import.meta.url));

it("refuses a second platform on the same directory, and names the first one's process", async () => {
  const dataDir = await openDirectory();
  const holder = await holdLock(dataDir);
  await expect(acquireLock(dataDir)).rejects.toThrow(`(process ${holder.pid})`);
  await expect(acquireLock(dataDir)).rejects.toBeInstanceOf(AlreadyRunning);
});

it("refuses a second one in the same process, too", async () => {
  const dataDir = await openDirectory();
  const lock = await acquireLock(dataDir);
  await expect(acquireLock(dataDir)).rejects.toThrow(`(process ${process.pid})`);
  await lock.release();
});

it("lets the next one in once it is released", async () => {
  const dataDir = join(await openDirectory(), "not/yet/there");
  for (let times = 0; times < 3; times += 1) {
    const lock = await acquireLock(dataDir);
    await lock.release();
    await lock.release();
  }
});

it("lets the next one in at once when the holder was killed", async () => {
  const dataDir = await openDirectory();
  await crash(await holdLock(dataDir));
  const lock = await acquireLock(dataDir);
  await lock.release();
});

it("does not take a process that has got a dead holder's id for the holder", async () => {
  const dataDir = await openDirectory();
  await crash(await holdLock(dataDir));
  await writeFile(join(dataDir, "lock.pid"), String(process.pid));
  const lock = await acquireLock(dataDir);
  await lock.release();
});

it("lets in one of many that start at the same moment", async () => {
  const dataDir = await openDirectory();
  await crash(await holdLock(dataDir));
  const answers = await Promise.all(Array.from({ length: 6 }, () => firstWord(dataDir)));
  expect(answers.toSorted()).toEqual(["held", ...Array.from({ length: 5 }, () => "refused")]);
});

async function holdLock(dataDir: string) {
  const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child.stdout, "data");
  return child;
}

async function firstWord(dataDir: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [word] = (await once(child.stdout, "data")) as [Buffer];
  return word.toString().trim();
}
