import { join } from "node:path";
import type { Db } from "../../core/db.ts";
import type { BlobStore } from "./blobs.ts";
import { DiskBlobs } from "./disk.ts";
import type { S3Settings } from "./s3.ts";
import { ArtifactStore } from "./store.ts";

/**
 * Opens the store that the settings name: a bucket where there is one, else a folder below the data directory. `onAway`
 * is told why it did not answer, or took nothing.
 */
export async function openArtifactStore(
  {
    s3,
    dataDir,
    baseUrl,
  }: { readonly s3: S3Settings | null; readonly dataDir: string; readonly baseUrl: string },
  db: Db,
  onAway: (why: string) => void,
): Promise<ArtifactStore> {
  const blobs =
    s3 === null ? new DiskBlobs(join(dataDir, "artifacts"), { onAway }) : await openBucket(s3, onAway);
  return new ArtifactStore({ blobs, db, baseUrl });
}

/** The client is loaded only here: the embedded default does without it, and without its memory. */
async function openBucket(settings: S3Settings, onAway: (why: string) => void): Promise<BlobStore> {
  const { S3Blobs } = await import("./s3.ts");
  return new S3Blobs(settings, { onAway });
}
