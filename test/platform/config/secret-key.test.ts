import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/platform/config.ts";
import { openKeyRing } from "../../../src/platform/config/secret-key.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER = Buffer.alloc(32, 8).toString("base64");
const NONE = { current: null, previous: null };

const directory = mkdtempSync(join(tmpdir(), "meshforge-secrets-"));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
function file(text: string): string {
  const path = join(directory, `file-${files++}`);
  writeFileSync(path, text);
  return path;
}

describe("SECRET_KEY", () => {
  it("is 32 bytes in base64, and never shown when it is not", () => {
    expect(loadConfig({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: OTHER }).secretKey).toEqual({
      current: Buffer.alloc(32, 7),
      previous: Buffer.alloc(32, 8),
    });
    for (const wrong of ["hunter2", KEY.slice(4), `${KEY}${KEY}`, KEY.replace("=", "-"), `${KEY} x`]) {
      expect(() => loadConfig({ SECRET_KEY: wrong }), wrong).toThrow(/SECRET_KEY/);
      expect(() => loadConfig({ SECRET_KEY: wrong }), wrong).toThrow(/^(?![\s\S]*(hunter2|BwcHBw))/);
    }
  });

  it("is required in production", () => {
    expect(() => loadConfig({ NODE_ENV: "production" })).toThrow("SECRET_KEY is required");
    expect(loadConfig({ NODE_ENV: "production", SECRET_KEY: KEY }).production).toBe(true);
    expect(loadConfig({ NODE_ENV: "production", SECRET_KEY_FILE: file(`${KEY}\n`) }).production).toBe(true);
  });

  it("is made once where there is none, for its owner alone, by however many start at once", async () => {
    const dataDir = join(directory, "made", "here");
    const rings = await Promise.all(Array.from({ length: 12 }, () => openKeyRing(NONE, dataDir)));
    expect(new Set(rings.map(({ current }) => current.id)).size).toBe(1);
    expect((await openKeyRing(NONE, dataDir)).current.id).toBe(rings[0]?.current.id);
    expect(readdirSync(dataDir)).toEqual(["secret-key"]);
    expect(statSync(join(dataDir, "secret-key")).mode & 0o777).toBe(0o600);
  });

  it("that is set wins over the one that lies in the data directory", async () => {
    const kept = await openKeyRing(NONE, join(directory, "kept"));
    const set = await openKeyRing(loadConfig({ SECRET_KEY: KEY }).secretKey, join(directory, "kept"));
    expect(set.current.id).not.toBe(kept.current.id);
  });

  it("is refused where its file holds something else", async () => {
    const dataDir = mkdtempSync(join(directory, "broken-"));
    writeFileSync(join(dataDir, "secret-key"), "half a k");
    await expect(openKeyRing(NONE, dataDir)).rejects.toThrow(/secret-key holds no secret key.*32 bytes/);
  });
});

describe("a secret setting", () => {
  it.each([
    ["SECRET_KEY", KEY],
    ["SECRET_KEY_PREVIOUS", KEY],
    ["OPS_TOKEN", "a-token-of-some-length"],
    ["DATABASE_URL", "postgres://user:hunter2@host/db"],
    ["REDIS_URL", "redis://:hunter2@host"],
    ["OPENAI_API_KEY", "sk-1"],
    ["MEMORY_API_KEY", "k-1"],
  ])("may stand in a file: %s", (name, value) => {
    const rest = { MEMORY_URL: "http://127.0.0.1:1" };
    expect(loadConfig({ ...rest, [`${name}_FILE`]: file(`${value}\n`) })).toEqual(
      loadConfig({ ...rest, [name]: value }),
    );
  });

  it("is refused when it is given twice or its file is not there, together with all other faults", () => {
    const env = {
      OPS_TOKEN: "a-token-of-some-length",
      OPS_TOKEN_FILE: file("another-token-of-length"),
      SECRET_KEY_FILE: join(directory, "nowhere"),
      PORT: "70000",
    };
    for (const fault of ["OPS_TOKEN is given twice", "SECRET_KEY_FILE cannot be read (ENOENT)", "PORT"]) {
      expect(() => loadConfig(env)).toThrow(fault);
    }
    expect(() => loadConfig(env)).toThrow(/^(?![\s\S]*-token-of)/);
  });

  it("is read from files only where it is secret", () => {
    expect(loadConfig({ PORT_FILE: file("1234") }).port).toBe(4000);
  });
});
