import {
  chmod,
  link,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { readPostmaster, stopPostmaster } from "./postmaster.ts";

/**
 * The home of a cluster outside of its DATA_DIR, for a DATA_DIR that the database's user cannot enter:
 *
 *   <shared>/data-x1y2z3/owner      the path of DATA_DIR/postgres; the same file as DATA_DIR/postgres.owner
 *   <shared>/data-x1y2z3/cluster    where DATA_DIR/postgres points
 */
const PREFIX = "data-";
const OWNER = "owner";
/** Says that the home and its DATA_DIR are on two file systems, so that they could not share the file. */
const APART = "apart";
const OPEN_TO_ENTER = 0o755;
/** How long a home outlives its last start and stop, where nothing tells whether its DATA_DIR was moved or removed. */
const UNCLAIMED_MS = 86_400_000;

/** Makes a home for the cluster of DATA_DIR/postgres, here `place`, and gives the home's path. */
export async function makeHome(shared: string, place: string): Promise<string> {
  const home = await mkdtemp(join(shared, PREFIX));
  await chmod(home, OPEN_TO_ENTER);
  await writeOwner(home, place);
  return home;
}

/**
 * Makes `place`, which links to the home's cluster, the home's owner after DATA_DIR was moved.
 * Throws when it was copied: two platforms on one database would stop each other's server.
 */
export async function claimHome(home: string, place: string): Promise<void> {
  const owner = await readOwner(home);
  // Without an owner it is no home of ours: somebody has put the cluster on another disk.
  if (owner === null || owner === place) return;
  if (await isLinkedFrom(owner, home)) {
    throw new Error(
      `${place} is a copy of a link: the database is that of ${owner}. Remove it to begin with an empty one.`,
    );
  }
  await writeOwner(home, place);
}

/** Where in its home the cluster lies. */
export function clusterIn(home: string): string {
  return join(home, "cluster");
}

/**
 * Removes the homes whose DATA_DIR was removed, with the server that may still run there. A DATA_DIR that was
 * only moved keeps the second name of the `owner` file, and with it its home.
 */
export async function removeOrphanedHomes(shared: string): Promise<void> {
  const names = (await readdir(shared)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    // Another start may be tidying up at the same time. Whatever is left is the next one's to remove.
    await removeIfOrphaned(join(shared, name)).catch(() => {});
  }
}

async function removeIfOrphaned(home: string): Promise<void> {
  if (!(await isOrphaned(home))) return;
  const server = await readPostmaster(clusterIn(home));
  if (server !== null) await stopPostmaster(server.pid);
  await rm(home, { recursive: true, force: true });
}

async function isOrphaned(home: string): Promise<boolean> {
  const place = await readOwner(home);
  if (place !== null && (await isLinkedFrom(place, home))) return false;
  if (place === null || (await exists(join(home, APART)))) return isUnused(home);
  return (await stat(join(home, OWNER))).nlink === 1;
}

async function readOwner(home: string): Promise<string | null> {
  return readFile(join(home, OWNER), "utf8").catch(() => null);
}

async function writeOwner(home: string, place: string): Promise<void> {
  const unfinished = join(home, `${OWNER}.new`);
  await rm(unfinished, { force: true });
  await writeFile(unfinished, place);
  await rm(`${place}.owner`, { force: true });
  await link(unfinished, `${place}.owner`).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    await writeFile(join(home, APART), "");
  });
  await rename(unfinished, join(home, OWNER));
}

async function isLinkedFrom(place: string, home: string): Promise<boolean> {
  return (await readlink(place).catch(() => null)) === clusterIn(home);
}

async function isUnused(home: string): Promise<boolean> {
  // Each start makes a file in the cluster's directory, and each stop removes it.
  const { mtimeMs } = await stat(clusterIn(home)).catch(() => stat(home));
  return Date.now() - mtimeMs > UNCLAIMED_MS;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
