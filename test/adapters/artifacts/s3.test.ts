import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Blob, pathOf } from "../../../src/adapters/artifacts/blobs.ts";
import { S3Blobs, type S3Options } from "../../../src/adapters/artifacts/s3.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";

const PATIENCE_MS = 120_000;
/** For a server that never answers, and, in the second one, does so the next time. */
const HANG_MS = { always: 300, once: 2_000 };
const BYTES = randomBytes(300_000);
const BLOB: Blob = { kind: "files", sha256: createHash("sha256").update(BYTES).digest("hex") };

let server: S3Server;
let blobs: S3Blobs;
let told: string[];
const options: S3Options = { requestTimeoutMs: PATIENCE_MS, onAway: (why) => void told.push(why) };
beforeEach(async () => {
  server = await startS3Server();
  told = [];
  blobs = new S3Blobs(server.settings, options);
});
afterEach(async () => {
  blobs.close();
  await server.close();
});

/** A bucket that is waited for no longer than this. */
function waitOnly(requestTimeoutMs: number): void {
  blobs.close();
  blobs = new S3Blobs(server.settings, { ...options, requestTimeoutMs });
}

const away = expect.objectContaining({ code: "unavailable" });

describe("a bucket", () => {
  it("holds each object under the path that it would have on disk", async () => {
    await blobs.write(BLOB, BYTES);
    expect([...server.objects.keys()]).toEqual([`files/${BLOB.sha256.slice(0, 2)}/${BLOB.sha256}`]);
  });

  it.each(["500", "503", "hang"] as const)("that answers with %s once is asked again", async (fault) => {
    waitOnly(HANG_MS.once);
    server.order(fault);
    await blobs.write(BLOB, BYTES);
    expect(server.objects.get(pathOf(BLOB))?.equals(BYTES)).toBe(true);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it.each(["500", "503", "hang", "cut"] as const)("that goes on with %s is unavailable", async (fault) => {
    waitOnly(HANG_MS.always);
    server.order(fault, fault, fault);
    await expect(blobs.write(BLOB, BYTES)).rejects.toEqual(away);
    expect(server.objects.size).toBe(0);
    expect(told).toEqual([
      expect.stringMatching(/^(500 InternalError|503 SlowDown|TimeoutError: .+|Error: .+)$/),
    ]);
  });

  it("that is not there is unavailable", async () => {
    await server.close();
    await expect(blobs.write(BLOB, BYTES)).rejects.toEqual(away);
    await expect(blobs.read(BLOB)).rejects.toEqual(away);
    await expect(blobs.stream(BLOB, BYTES.length)).rejects.toEqual(away);
    await expect(blobs.check(BLOB, BYTES.length)).rejects.toEqual(away);
  });

  it.each(["cut", "stall"] as const)(
    "whose answer breaks off (%s) gives an error, and never less",
    async (fault) => {
      await blobs.write(BLOB, BYTES);
      waitOnly(HANG_MS.once);
      server.order(fault);
      await expect(buffer(await blobs.stream(BLOB, BYTES.length))).rejects.toThrow();
      server.order(fault);
      await expect(blobs.read(BLOB)).rejects.toEqual(away);
    },
  );

  it("that refuses is not asked again, and its words and the keys stay inside", async () => {
    server.order("403");
    const error: unknown = await blobs.write(BLOB, BYTES).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: "the artifact store answers 403 AccessDenied" });
    expect(server.requests).toHaveLength(1);
    const { accessKeyId, secretAccessKey } = server.settings;
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(
      `${accessKeyId}|${secretAccessKey}`,
    );
  });

  it.each([
    [{ secretAccessKey: "another" }, "403 SignatureDoesNotMatch"],
    [{ region: "us-east-1" }, "403 SignatureDoesNotMatch"],
    [{ bucket: "another" }, "404 NoSuchBucket"],
  ])("refuses the settings %j", async (wrong, why) => {
    const other = new S3Blobs({ ...server.settings, ...wrong }, options);
    await expect(other.write(BLOB, BYTES)).rejects.toThrow(why);
    other.close();
  });

  it("refuses bytes that are not those of the hash", async () => {
    await expect(blobs.write(BLOB, BYTES.subarray(1))).rejects.toThrow("400 BadDigest");
    expect(server.objects.size).toBe(0);
  });
});
