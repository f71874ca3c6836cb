import { spawnSync } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const DISK = "size=4m";
const canMount =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
if (!canMount) console.warn("Only root can mount a small disk: filling one up is SKIPPED.");

let platform: TestPlatform;
let artifacts: string;
beforeAll(async () => {
  platform = await startTestPlatform();
  artifacts = join(platform.runtime.config.dataDir, "artifacts");
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const large = (key: string) =>
  platform.request("POST", "/api/call/test-work", { key, body: { mode: "large" } });

async function panel(key: string, pitch: number) {
  const body = { width: 120, height: 80, pitch };
  return await platform.request("POST", "/api/call/cam-forge", { key, body });
}

const takesAgain = () => until(async () => await platform.runtime.store.takes());
const takesNothing = () => until(async () => !(await platform.runtime.store.takes()));

describe("a directory that takes nothing", () => {
  afterEach(async () => {
    await rm(artifacts, { recursive: true, force: true });
    await takesAgain();
  });

  it("refunds what a thread could not store as unavailable, and is told of", async () => {
    const { key } = await platform.account(100);
    // A file stands where the directory should be.
    await rm(artifacts, { recursive: true, force: true });
    await writeFile(artifacts, "");
    expect(await panel(key, 11)).toMatchObject({
      status: 503,
      body: { error: "unavailable", refunded: true, balance: 100 },
    });
    expect(await large(key)).toMatchObject({ status: 503, body: { error: "unavailable", refunded: true } });
    await takesNothing();
    await rm(artifacts);
    expect(await panel(key, 11)).toMatchObject({ status: 200 });
    await takesAgain();
  });
});

describe.skipIf(!canMount)("a disk that is full", () => {
  afterEach(async () => {
    spawnSync("umount", ["--lazy", artifacts]);
    await takesAgain();
  });

  it("refunds what a thread could not store as unavailable, says so, and goes on when there is room", async () => {
    const { key } = await platform.account(100);
    await mkdir(artifacts, { recursive: true });
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", DISK, "tmpfs", artifacts]);
    expect(String(mounted.stderr)).toBe("");
    expect(await panel(key, 12)).toMatchObject({ status: 200 });
    const { bavail, bsize } = await statfs(artifacts);
    const filler = join(artifacts, "filler");
    await writeFile(filler, Buffer.alloc(bavail * bsize));
    expect(await panel(key, 13)).toMatchObject({
      status: 503,
      body: { error: "unavailable", refunded: true },
    });
    await takesNothing();
    await rm(filler);
    expect(await panel(key, 13)).toMatchObject({ status: 200 });
    await takesAgain();
  });
});
