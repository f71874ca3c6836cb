import { lstat, mkdir, readdir, readFile, readlink, realpath, rm, stat, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Binaries } from "./binaries.ts";
import { findBinaries } from "./binaries.ts";
import { claimHome, clusterIn, makeHome, removeOrphanedHomes } from "./cluster-home.ts";
import { initCluster, PASSWORD_FILE } from "./initdb.ts";
import { ACCESS, isReachable } from "./reachable.ts";
import type { ServerUser } from "./server-user.ts";
import { chooseServerUser } from "./server-user.ts";
import { sharedDirectory } from "./shared-directory.ts";

/** An initdb that outlived its parent may still be writing there. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** A cluster that a server can be started on. */
export type Cluster = {
  /** Its absolute path without links, as the server's processes see it. */
  readonly directory: string;
  readonly password: string;
  readonly user: ServerUser;
  readonly binaries: Binaries;
};

/** The cluster at DATA_DIR/postgres, which is made when there is none. Throws when it cannot be used as it is. */
export async function openCluster(dataDir: string, stopping: AbortSignal): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true });
  const place = join(resolve(dataDir), "postgres");
  await removeUnfinished(resolve(dataDir));
  return (await exists(place)) ? openExisting(dataDir, place) : makeNew(dataDir, place, stopping);
}

async function openExisting(dataDir: string, place: string): Promise<Cluster> {
  const directory = await realpath(place).catch(async () => {
    throw new Error(
      `The database at ${await readlink(place)} is gone. Bring it back, or remove ${place} to begin with an empty one.`,
    );
  });
  const user = await chooseServerUser(await stat(directory));
  if (!(await isReachable(directory, ACCESS.readAndEnter, user))) {
    throw new Error(
      `User ${user?.uid}, who owns the database in ${directory}, cannot enter a directory above it any more. ` +
        "Open the way to it, or move DATA_DIR.",
    );
  }
  const password = await readFile(join(directory, PASSWORD_FILE), "utf8").catch((error: unknown) => {
    throw new Error(
      `The database in ${directory} cannot be used: it is another user's, or not one of Meshforge's.`,
      {
        cause: error,
      },
    );
  });
  if (user !== null && (await lstat(place)).isSymbolicLink()) {
    await claimHome(dirname(directory), place);
    await removeOrphanedHomes(await sharedDirectory(user));
  }
  return { directory, password, user, binaries: await findBinaries(dataDir, user) };
}

async function makeNew(dataDir: string, place: string, stopping: AbortSignal): Promise<Cluster> {
  const user = await chooseServerUser();
  const binaries = await findBinaries(dataDir, user);
  if (user === null || (await isReachable(resolve(dataDir), ACCESS.enter, user))) {
    await initCluster(place, { binaries, user, stopping });
  } else {
    const shared = await sharedDirectory(user);
    await removeOrphanedHomes(shared);
    const home = await makeHome(shared, place);
    await initCluster(clusterIn(home), { binaries, user, stopping });
    await symlink(clusterIn(home), place);
  }
  return openExisting(dataDir, place);
}

/** What a start left behind that was killed while it made the cluster. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const unfinished = (await readdir(dataDir)).filter((name) => name.startsWith("postgres.new-"));
  await Promise.all(unfinished.map((name) => rm(join(dataDir, name), REMOVAL)));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
