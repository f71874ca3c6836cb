/** What the operating system says when a directory cannot be written, as opposed to a fault of ours. */
const REFUSED: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its file system is read-only",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "there is a file in its place",
  ENOSPC: "its disk is full",
  EDQUOT: "this user's quota is used up",
  // What Node says where it could make no part of a path.
  ENOENT: "it cannot be made",
  ERR_SQLITE_ERROR: "its lock file cannot be opened",
};

/** Does what writes into DATA_DIR. Where the system refuses, the error names the directory and what to do. */
export async function inDataDir<T>(dataDir: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    const why = REFUSED[code];
    if (why === undefined || (syscall === undefined && code !== "ERR_SQLITE_ERROR")) throw error;
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used: ${why} (${code}). Make it a directory that this user may write to, or set DATA_DIR to another.`,
      { cause: error },
    );
  }
}
