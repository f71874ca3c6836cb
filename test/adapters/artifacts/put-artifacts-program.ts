import { randomBytes } from "node:crypto";
import { DiskBlobs } from "../../../src/adapters/artifacts/disk.ts";
import { ArtifactStore } from "../../../src/adapters/artifacts/store.ts";
import { openDatabase } from "../../../src/adapters/postgres/database.ts";

/** Stores artifacts below a directory, four at a time, until it is killed; says the hash of each that is stored. */
const [root = "", url = ""] = process.argv.slice(2);
const db = openDatabase({ url, role: null, maxConnections: 4, applicationName: "test writer" });
const store = new ArtifactStore({
  blobs: new DiskBlobs(root, { onAway: () => undefined }),
  db,
  baseUrl: "https://mesh.test",
});

async function putForEver(): Promise<never> {
  for (;;) {
    const { sha256 } = await store.put(randomBytes(300_000), { mime: "image/png", filename: "a.png" });
    process.stdout.write(`${sha256}\n`);
  }
}
await Promise.all([putForEver(), putForEver(), putForEver(), putForEver()]);
