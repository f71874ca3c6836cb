import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Blob } from "../../../src/adapters/artifacts/blobs.ts";
import { type ArtifactInfo, ArtifactStore } from "../../../src/adapters/artifacts/store.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { BLOB_STORES, type TestBlobs } from "./blob-stores.ts";

const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const fileOf = (sha256: string): Blob => ({ kind: "files", sha256 });
const PNG = { mime: "image/png", filename: "a.png" };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe.each(BLOB_STORES)("the artifact store %s", (_kind, open) => {
  let under: TestBlobs;
  let store: ArtifactStore;
  let bytes: Buffer;
  let sha256: string;
  beforeEach(async () => {
    under = await open();
    store = new ArtifactStore({ blobs: under.blobs, db: database.app, baseUrl: "https://mesh.test" });
    bytes = randomBytes(100_000);
    sha256 = sha256Of(bytes);
  });
  afterEach(() => under.close());

  const stored = async (): Promise<ArtifactInfo> => {
    await store.put(bytes, PNG);
    return (await store.info(sha256, PNG.filename)) as ArtifactInfo;
  };

  it("gives back what was put, under an address that names its hash", async () => {
    expect(await store.put(bytes, PNG)).toEqual({
      url: `https://mesh.test/artifacts/${sha256}/a.png`,
      sha256,
      bytes: 100_000,
    });
    const file = await stored();
    expect(file).toEqual({ sha256, bytes: 100_000, ...PNG });
    expect(bytes.equals(await buffer(await store.stream(file)))).toBe(true);
    await store.check(file);
  });

  it.each([
    [0, 0],
    [0, 99_999],
    [500, 70_000],
    [99_999, 99_999],
  ])("gives the bytes %i to %i", async (start, end) => {
    const file = await stored();
    const part = await buffer(await store.stream(file, { start, end }));
    expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it("keeps the same bytes under each name that they were given, each with its type", async () => {
    await store.put(bytes, PNG);
    const text = { mime: "text/plain; charset=utf-8", filename: "ä b.txt" };
    expect((await store.put(bytes, text)).url).toBe(`https://mesh.test/artifacts/${sha256}/%C3%A4%20b.txt`);
    expect(await store.info(sha256, "a.png")).toMatchObject(PNG);
    expect(await store.info(sha256, "ä b.txt")).toMatchObject(text);
    expect(await store.info(sha256, "b.png")).toBeUndefined();
  });

  it("keeps nothing at all of no bytes, and says so", async () => {
    const empty = await store.put(new Uint8Array(), { mime: "text/plain", filename: "empty.txt" });
    const file = (await store.info(empty.sha256, "empty.txt")) as ArtifactInfo;
    expect(file.bytes).toBe(0);
    expect(await buffer(await store.stream(file))).toHaveLength(0);
  });

  it("takes twenty writes of the same bytes at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes, PNG)));
    expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
    expect(bytes.equals(await buffer(await store.stream(await stored())))).toBe(true);
  });

  it("rejects for bytes that are lost, and has them again when they are put again", async () => {
    const file = await stored();
    await under.lose(fileOf(sha256));
    await expect(store.stream(file)).rejects.toThrow();
    await expect(store.check(file)).rejects.toThrow();
    await store.put(bytes, PNG);
    expect(bytes.equals(await buffer(await store.stream(file)))).toBe(true);
  });

  it("rejects for bytes that are not all there any more, also for a range of the rest", async () => {
    const file = await stored();
    await under.shorten(fileOf(sha256), 50_000);
    await expect(store.stream(file)).rejects.toThrow("50000");
    await expect(store.check(file)).rejects.toThrow("50000");
    await expect(store.stream(file, { start: 40_000, end: 99_999 })).rejects.toThrow();
  });

  it("keeps texts, and notices when one is not what it was", async () => {
    const text = "ö".repeat(40_000);
    const hash = sha256Of(text);
    await store.write(text, hash);
    expect(Buffer.from(await store.read(hash)).toString()).toBe(text);
    await under.shorten({ kind: "outputs", sha256: hash }, 40_000);
    await expect(store.read(hash)).rejects.toThrow("not what was stored");
    await under.lose({ kind: "outputs", sha256: hash });
    await expect(store.read(hash)).rejects.toThrow();
  });

  it.each([
    "",
    ".",
    "..",
    ".hidden",
    "a/b",
    "a\\b",
    "a\nb",
    "a\0b",
    'a"b',
    "x".repeat(241),
    "\u00e4".repeat(41),
    "\uD800",
  ])("refuses %j as the name of a file, and stores nothing", async (filename) => {
    await expect(store.put(bytes, { ...PNG, filename })).rejects.toThrow(TypeError);
    await expect(under.blobs.read(fileOf(sha256))).rejects.toThrow();
  });

  it.each(["", "png", "image/png\r\nset-cookie: a=b", "image/png; charset=utf-8; x=y"])(
    "refuses %j as a type",
    async (mime) => {
      await expect(store.put(bytes, { ...PNG, mime })).rejects.toThrow(TypeError);
    },
  );
});
