import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Blob, pathOf } from "../../../src/adapters/artifacts/blobs.ts";
import { DiskBlobs } from "../../../src/adapters/artifacts/disk.ts";

const BYTES = randomBytes(200_000);
const BLOB: Blob = { kind: "files", sha256: createHash("sha256").update(BYTES).digest("hex") };
const WRITER = fileURLToPath(new URL("write-blob-program.ts", import.meta.url));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "meshforge-blobs-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const unfinished = (): Promise<string[]> => readdir(join(root, "unfinished"));
const there = (): Promise<boolean> => stat(join(root, pathOf(BLOB))).then(() => true, () => false); // prettier-ignore

/** Runs a program that writes `bytes` bytes, under a limit of the shell's: `-f` stops files at so many KiB. */
const write = (limit: string): { readonly status: number | null; readonly stderr: string } =>
  spawnSync("bash", ["-c", `trap '' XFSZ; ${limit} exec "$0" "$1" "$2"`, process.execPath, WRITER, root], {
    encoding: "utf8",
  });

describe("a folder of blobs", () => {
  it("is for its owner alone, with all that is in it, whatever mode it had", async () => {
    await chmod(root, 0o755);
    await new DiskBlobs(root, { onAway: () => undefined }).write(BLOB, BYTES);
    const modes = new Map<string, string>();
    for (const entry of ["", ...(await readdir(root, { recursive: true }))]) {
      const { mode } = await stat(join(root, entry));
      modes.set(entry, (mode & 0o777).toString(8));
    }
    expect(modes.size).toBeGreaterThan(3);
    for (const [entry, mode] of modes)
      expect([entry, mode]).toEqual([entry, entry.endsWith(BLOB.sha256) ? "600" : "700"]);
  });

  it("keeps nothing of a file for which the disk has no room", async () => {
    const { status, stderr } = write("ulimit -f 64;");
    expect(status).toBe(1);
    expect(stderr).toContain("EFBIG");
    expect(await unfinished()).toEqual([]);
    expect(await readdir(join(root))).toEqual(["unfinished"]);
    expect(write("").status).toBe(0);
    expect(await unfinished()).toEqual([]);
  });

  it("writes a file again that is not as long as it should be", async () => {
    const blobs = new DiskBlobs(root, { onAway: () => undefined });
    await blobs.write(BLOB, BYTES);
    await writeFile(join(root, pathOf(BLOB)), "short");
    await blobs.write(BLOB, BYTES);
    expect(BYTES.equals(await readFile(join(root, pathOf(BLOB))))).toBe(true);
  });

  it("goes on when everything was taken away since its first write", async () => {
    const blobs = new DiskBlobs(root, { onAway: () => undefined });
    await blobs.tryWrite();
    await rm(root, { recursive: true });
    await blobs.write(BLOB, BYTES);
    expect(await there()).toBe(true);
  });

  it("leaves nothing of what it only tries, and says which of the system's calls failed", async () => {
    const whys: string[] = [];
    await new DiskBlobs(root, { onAway: () => undefined }).tryWrite();
    expect(await unfinished()).toEqual([]);
    await writeFile(join(root, "file"), "");
    const blobs = new DiskBlobs(join(root, "file"), { onAway: (why) => whys.push(why) });
    await expect(blobs.tryWrite()).rejects.toMatchObject({ code: "unavailable" });
    expect(whys).toEqual(["ENOTDIR: mkdir"]);
  });

  it("does not write again what is there", async () => {
    const blobs = new DiskBlobs(root, { onAway: () => undefined });
    await blobs.write(BLOB, BYTES);
    const { mtimeMs, ino } = await stat(join(root, pathOf(BLOB)));
    await blobs.write(BLOB, BYTES);
    expect(await stat(join(root, pathOf(BLOB)))).toMatchObject({ mtimeMs, ino });
  });

  it("clears away what a killed process left, and leaves what another one is writing", async () => {
    await mkdir(join(root, "unfinished"));
    await writeFile(join(root, "unfinished", "left"), "half a fi");
    await writeFile(join(root, "unfinished", "fresh"), "half a fi");
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(root, "unfinished", "left"), twoHoursAgo, twoHoursAgo);
    await new DiskBlobs(root, { onAway: () => undefined }).write(BLOB, BYTES);
    expect(await unfinished()).toEqual(["fresh"]);
  });

  it("can be written to again as soon as its place is free", async () => {
    const blobs = new DiskBlobs(root, { onAway: () => undefined });
    await writeFile(join(root, "unfinished"), "a file where the directory should be");
    await expect(blobs.write(BLOB, BYTES)).rejects.toThrow();
    expect(await there()).toBe(false);
    await rm(join(root, "unfinished"));
    await blobs.write(BLOB, BYTES);
    expect(await there()).toBe(true);
  });
});
