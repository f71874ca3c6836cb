import { chmod, lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ACCESS, isReachable, isRootsOwn } from "./reachable.ts";
import type { ServerUser } from "./server-user.ts";

const PLACES = ["/var/lib", "/var/tmp", tmpdir()];
const OPEN_TO_ENTER = 0o755;

/**
 * A directory of root's that `user` can reach, for what cannot stay where it is: binaries and clusters below a
 * directory that only root may enter. Shared by all installations on this machine. Throws if no place will do.
 */
export async function sharedDirectory(user: ServerUser): Promise<string> {
  for (const place of PLACES) {
    const directory = join(place, "meshforge");
    if (await isUsable(directory, user).catch(() => false)) return directory;
  }
  throw new Error(
    `The user that PostgreSQL runs as can enter none of ${PLACES.join(", ")}. ` +
      "Use a DATA_DIR that everybody may enter, or set DATABASE_URL.",
  );
}

async function isUsable(directory: string, user: ServerUser): Promise<boolean> {
  if ((await mkdir(directory, { recursive: true })) !== undefined) {
    // The mode given to mkdir is cut by the umask, which is often 077 for root.
    await chmod(directory, OPEN_TO_ENTER);
  }
  // In a directory that all may write to, someone else may have put a link or a directory of theirs in its place.
  const entry = await lstat(directory);
  return (
    entry.isDirectory() && (await isRootsOwn(directory)) && (await isReachable(directory, ACCESS.enter, user))
  );
}
