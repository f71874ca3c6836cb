import { mkdtemp, rm, truncate, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Blob, type BlobStore, pathOf } from "../../../src/adapters/artifacts/blobs.ts";
import { DiskBlobs } from "../../../src/adapters/artifacts/disk.ts";
import { S3Blobs } from "../../../src/adapters/artifacts/s3.ts";
import { startS3Server } from "../../support/s3-server.ts";

/** A blob store of the test's own, and the hands of somebody who damages it. */
export type TestBlobs = {
  readonly blobs: BlobStore;
  lose(blob: Blob): Promise<void>;
  shorten(blob: Blob, bytes: number): Promise<void>;
  close(): Promise<void>;
};

async function onDisk(): Promise<TestBlobs> {
  const root = await mkdtemp(join(tmpdir(), "meshforge-blobs-"));
  const blobs = new DiskBlobs(root, { onAway: () => undefined });
  return {
    blobs,
    lose: (blob) => unlink(join(root, pathOf(blob))),
    shorten: (blob, bytes) => truncate(join(root, pathOf(blob)), bytes),
    close: () => rm(root, { recursive: true }),
  };
}

const PREFIX = "some/folder";
const keyOf = (blob: Blob): string => `${PREFIX}/${pathOf(blob)}`;

async function inBucket(): Promise<TestBlobs> {
  const server = await startS3Server({ prefix: PREFIX });
  const blobs = new S3Blobs(server.settings, { onAway: () => undefined });
  return {
    blobs,
    lose: async (blob) => void server.objects.delete(keyOf(blob)),
    shorten: async (blob, bytes) =>
      void server.objects.set(
        keyOf(blob),
        server.objects.get(keyOf(blob))?.subarray(0, bytes) ?? Buffer.alloc(0),
      ),
    close: async () => {
      blobs.close();
      await server.close();
    },
  };
}

/** Every kind of store, for `describe.each`: what holds of one holds of all. */
export const BLOB_STORES: readonly (readonly [kind: string, open: () => Promise<TestBlobs>])[] = [
  ["on disk", onDisk],
  ["in an S3 bucket", inBucket],
];
