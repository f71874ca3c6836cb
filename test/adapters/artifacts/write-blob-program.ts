import { randomBytes } from "node:crypto";
import { DiskBlobs } from "../../../src/adapters/artifacts/disk.ts";

/** Writes one blob of 200 kB below the directory that it is given; exit code 1 and the error where it cannot. */
try {
  const sha256 = randomBytes(32).toString("hex");
  const blobs = new DiskBlobs(process.argv[2] ?? "", { onAway: (why) => process.stderr.write(why) });
  await blobs.write({ kind: "files", sha256 }, randomBytes(200_000));
} catch (error) {
  process.stderr.write(String(error));
  process.exitCode = 1;
}
