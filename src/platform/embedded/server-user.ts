import { readFile } from "node:fs/promises";

/** The system user that the database runs as; null stands for the user of this very process. */
export type ServerUser = { readonly uid: number; readonly gid: number } | null;

const UNPRIVILEGED_USERS = ["postgres", "nobody"];

/**
 * PostgreSQL refuses to run as root. For root this is the owner of an existing cluster, or else the first of
 * `postgres` and `nobody` that this machine knows; for everybody else null.
 * Throws when root finds neither.
 */
export async function chooseServerUser(clusterOwner?: { uid: number; gid: number }): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return null;
  if (clusterOwner !== undefined && clusterOwner.uid !== 0) {
    return { uid: clusterOwner.uid, gid: clusterOwner.gid };
  }
  const passwd = await readFile("/etc/passwd", "utf8");
  const entries = passwd.split("\n").map((line) => line.split(":"));
  for (const name of UNPRIVILEGED_USERS) {
    const entry = entries.find(([user]) => user === name);
    if (entry !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED_USERS.join(" or ")} to run it as. ` +
      "Start as an ordinary user, or set DATABASE_URL.",
  );
}
