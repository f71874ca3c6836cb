import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import type { ServerUser } from "./server-user.ts";

/** The superuser of the cluster, and the database that it owns. */
export const ROLE = "meshforge";
export const DATABASE = "meshforge";
/** In the cluster's directory, so that a password and its cluster are never apart. */
export const PASSWORD_FILE = "meshforge.password";

const PASSWORD_BYTES = 24;
const OWNER_ONLY = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;
/** No unix sockets, no other hosts, nobody without the password. */
const ACCESS_RULES = "host all all 127.0.0.1/32 scram-sha-256\n";

/**
 * The environment of all of PostgreSQL's programs: nothing of ours, as a PGPORT or a locale from outside would
 * change what they do.
 */
export const SERVER_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/**
 * Makes a cluster with the database in it at `target`, which appears only when all is done: whatever kills this
 * process leaves a finished cluster or none. Throws with what the failing program said, or when `stopping` breaks it off.
 */
export async function initCluster(
  target: string,
  {
    binaries,
    user,
    stopping,
  }: { readonly binaries: Binaries; readonly user: ServerUser; readonly stopping: AbortSignal },
): Promise<void> {
  const unfinished = `${target}.new-${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(unfinished, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    if (user !== null) await chown(unfinished, user.uid, user.gid);
    await run(binaries.initdb, initdbArguments(unfinished), { user, input: "", stopping });

    const password = randomBytes(PASSWORD_BYTES).toString("base64url");
    await writeOwned(join(unfinished, "pg_hba.conf"), ACCESS_RULES, user);
    await writeOwned(join(unfinished, PASSWORD_FILE), password, user);
    const single = ["--single", "-D", unfinished, "-c", "exit_on_error=on", "template1"];
    const sql = `alter role ${ROLE} password '${password}'\ncreate database ${DATABASE}\n`;
    await run(binaries.postgres, single, { user, input: sql, stopping });

    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function initdbArguments(directory: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${ROLE}`,
    "--encoding=UTF8",
    // Built into the server: the same order and the same upper and lower case on every machine.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    // For the moment before the rules above replace it; nothing listens until then.
    "--auth=trust",
    "--no-instructions",
  ];
}

async function writeOwned(path: string, text: string, user: ServerUser): Promise<void> {
  await writeFile(path, text, { mode: OWNER_ONLY });
  if (user !== null) await chown(path, user.uid, user.gid);
}

async function run(
  program: string,
  args: readonly string[],
  {
    user,
    input,
    stopping,
  }: { readonly user: ServerUser; readonly input: string; readonly stopping: AbortSignal },
): Promise<void> {
  stopping.throwIfAborted();
  const child = spawn(program, args, {
    ...user,
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    // In a group of its own: what is sent to ours reaches it through us, when its own children have to end as well.
    detached: true,
    stdio: "pipe",
  });
  const breakOff = (): void => endGroup(child);
  stopping.addEventListener("abort", breakOff, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  // A program that ends early closes its input; its exit code tells why.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  await new Promise<void>((resolve, reject) => {
    child.once("close", () => stopping.removeEventListener("abort", breakOff));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${signal ?? code}: ${output.trim()}`));
    });
  });
}

/** Ends a program and what it has started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
