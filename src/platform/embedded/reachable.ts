import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { ServerUser } from "./server-user.ts";

const READ = 4;
const WRITE = 2;
const EXECUTE = 1;

/** What is asked of a path's permission bits, for one of owner, group and others. */
export const ACCESS = { enter: EXECUTE, read: READ, readAndEnter: READ | EXECUTE } as const;

/**
 * True if `user` may enter every directory above `path` and has `access` to the path itself, by the permission
 * bits. One closed directory anywhere above is enough to hide all below it.
 */
export async function isReachable(path: string, access: number, user: ServerUser): Promise<boolean> {
  if (user === null) return true;
  let current = await realpath(path);
  if (!(await allows(current, access, user))) return false;
  while (current !== dirname(current)) {
    current = dirname(current);
    if (!(await allows(current, ACCESS.enter, user))) return false;
  }
  return true;
}

/** True if nobody but root can plant or replace something in this directory. */
export async function isRootsOwn(directory: string): Promise<boolean> {
  const { uid, mode } = await stat(directory);
  return uid === 0 && (mode & (WRITE << 3)) === 0 && (mode & WRITE) === 0;
}

async function allows(path: string, access: number, user: NonNullable<ServerUser>): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & access) === access;
}
