import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecords } from "../../src/platform/backup/backup-file.ts";
import { meshforge, type ProcessPlatform, startProcesses } from "../support/process-platform.ts";

let folder: string;
let file: string;
let platform: ProcessPlatform;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "meshforge-backup-"));
  file = join(folder, "all.backup");
  platform = await startProcesses({ DATA_DIR: join(folder, "data") });
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await platform.remove();
  await rm(folder, { recursive: true, force: true });
});

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

async function command(args: readonly string[], env: ProcessPlatform["env"] = platform.env): Promise<Ended> {
  const { child, output } = meshforge(args, env);
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, ...output };
}

async function ask(path: string, key: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${platform.run().baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** All that a backup says, in one order. */
async function recordsOf(path: string): Promise<string[]> {
  const records: string[] = [];
  for await (const record of readRecords(path)) records.push(JSON.stringify(record));
  expect(records.length).toBeGreaterThan(20);
  return records.sort();
}

const elsewhere = (name: string) => ({ ...platform.env, DATA_DIR: join(folder, name) });

// Each step stands on those before it.
describe("a backup", { shuffle: false }, () => {
  let key: string;
  let panel: Record<string, unknown>;
  let ledger: unknown;

  it("is made while the platform runs, for its owner's eyes only", async () => {
    const response = await fetch(`${platform.run().baseUrl}/api/accounts`, { method: "POST" });
    key = String(((await response.json()) as Record<string, unknown>)["api_key"]);
    panel = await ask("/api/call/cam-forge", key, { width: 60, height: 60 });
    await ask("/api/call/agent-memory", key, { action: "store", content: "the ladder is in the cellar" });
    expect(panel["status"]).toBe("succeeded");
    ledger = await ask("/api/account/ledger", key);
    const { code, stdout, stderr } = await command(["backup", file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/\d+ rows, [1-9]\d* files/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("takes the place of no other file", async () => {
    const { code, stderr } = await command(["backup", file]);
    expect(code).toBe(1);
    expect(stderr).toContain("exists already");
  });

  it("is not restored under a running platform", async () => {
    const { code, stderr } = await command(["restore", file, "--replace"]);
    expect(code).toBe(1);
    expect(stderr).toContain("already runs");
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
    ["changed", (bytes: Buffer) => bytes.with(Math.floor(bytes.length / 2), 1)],
    ["something else", () => Buffer.from("no backup")],
  ])("is refused before anything is touched when it is %s", async (what, damage) => {
    const broken = join(folder, "broken");
    await writeFile(broken, damage(await readFile(file)));
    const env = elsewhere("untouched");
    const { code, stderr } = await command(["restore", broken], env);
    expect({ what, code }).toEqual({ what, code: 1 });
    expect(stderr).toContain("is no whole backup");
    expect(existsSync(env.DATA_DIR)).toBe(false);
  });

  it("is refused where something stands, unless that may be put aside", async () => {
    await ask("/api/call/mail-triage", key, { subject: "made after the backup" });
    await platform.stop();
    const { code, stderr } = await command(["restore", file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/holds postgres, .*--replace/);
    const secret = readFileSync(join(platform.env["DATA_DIR"] ?? "", "secret-key"), "utf8");
    const replaced = await command(["restore", file, "--replace"]);
    expect({ code: replaced.code, stderr: replaced.stderr }).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(join(platform.env["DATA_DIR"] ?? "", "secret-key"), "utf8")).toBe(secret);
  });

  it("brings a new DATA_DIR to where the platform was: keys, money, calls, files, memories", async () => {
    const env = elsewhere("restored");
    const { code, stderr } = await command(["restore", file], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const again = join(folder, "again.backup");
    await command(["backup", again], env);
    expect(await recordsOf(again)).toEqual(await recordsOf(file));
    platform = await startProcesses({ DATA_DIR: env.DATA_DIR });
    expect(await ask("/api/account/ledger", key)).toEqual(ledger);
    const { result } = (await ask(`/api/calls/${String(panel["call_id"])}`, key)) as {
      result: { url: string };
    };
    const { pathname } = new URL(result.url);
    const stl = await fetch(`${platform.run().baseUrl}${pathname}`);
    expect(stl.status).toBe(200);
    expect((await stl.arrayBuffer()).byteLength).toBe((panel["result"] as { bytes: number }).bytes);
    const recalled = await ask("/api/call/agent-memory", key, { action: "recall", query: "ladder" });
    expect(recalled["result"]).toMatchObject({ count: 1 });
    const audit = await command(["audit", "--json"]);
    expect(JSON.parse(audit.stdout)).toMatchObject({ ok: true });
  });
});
