import { readdirSync, readFileSync } from "node:fs";

/** What a process holds, in bytes. */
export type ProcessMemory = {
  readonly pid: number;
  readonly command: string;
  /** All of its pages that are in memory, those that it shares with others too. */
  readonly rss: number;
  /** The same with each shared page divided by how many share it, so that the sum counts every page once. */
  readonly pss: number;
};

/** The memory of a process and of all below it (Linux). */
export function memoryBelow(rootPid: number): ProcessMemory[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = /^PPid:\s+(\d+)$/m.exec(tryRead(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const below = (pid: number): boolean =>
    pid === rootPid || (parents.has(pid) && below(parents.get(pid) ?? 0));
  return [...parents.keys()]
    .filter(below)
    .sort((a, b) => a - b)
    .map((pid) => {
      const pages = tryRead(`/proc/${pid}/smaps_rollup`);
      const command = tryRead(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
      return { pid, command, rss: bytesOf(pages, "Rss"), pss: bytesOf(pages, "Pss") };
    });
}

/** What processes hold together. */
export const total = (
  processes: readonly ProcessMemory[],
): { readonly rss: number; readonly pss: number } => ({
  rss: processes.reduce((sum, { rss }) => sum + rss, 0),
  pss: processes.reduce((sum, { pss }) => sum + pss, 0),
});

const bytesOf = (pages: string, name: "Rss" | "Pss"): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(pages)?.[1] ?? 0) * 1024;

/** Empty where the process has just ended. */
function tryRead(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
