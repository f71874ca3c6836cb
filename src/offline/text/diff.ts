import { formatPatch, parsePatch, reversePatch, type StructuredPatch } from "diff";

/** A file that a diff changes, and its lines without their marks. */
export type ChangedFile = {
  /** Undefined where the diff has no header. */
  readonly path: string | undefined;
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;
const FENCE = /^\s*```[a-z]*\n([\s\S]*?)\n?```\s*$/;

/** The files of a unified diff (plain, git's, fenced); undefined for a text that is none or is damaged. */
export function parseDiff(text: string): StructuredPatch[] | undefined {
  const diff = FENCE.exec(text)?.[1] ?? text;
  if (!HUNK.test(diff)) return undefined;
  try {
    const files = parsePatch(diff).filter(({ hunks }) => hunks.length > 0);
    return files.length === 0 ? undefined : files;
  } catch {
    // jsdiff throws for a damaged diff, and a text that is no diff is no fault here.
    return undefined;
  }
}

/** Whether a text is a unified diff that can be read. */
export const isDiff = (text: string): boolean => parseDiff(text) !== undefined;

/** What a diff changes, file by file; undefined for a text that is no unified diff. */
export function changedFiles(text: string): ChangedFile[] | undefined {
  return parseDiff(text)?.map(({ oldFileName, newFileName, hunks }) => {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    const marked = (mark: string): string[] =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
    return { path: pathOf(newFileName) ?? pathOf(oldFileName), added: marked("+"), removed: marked("-") };
  });
}

const pathOf = (name: string | undefined): string | undefined =>
  name === undefined || name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");

/**
 * The diff that undoes a diff: applied after it, everything is as before. Inverting twice gives the normal form of
 * the first, removed lines before added ones. Undefined for a text that is no unified diff.
 */
export function invertDiff(text: string): string | undefined {
  const files = parseDiff(text);
  if (files === undefined) return undefined;
  return formatPatch(reversePatch(files).map(removedFirst));
}

function removedFirst(patch: StructuredPatch): StructuredPatch {
  return { ...patch, hunks: patch.hunks.map((hunk) => ({ ...hunk, lines: sortRuns(hunk.lines) })) };
}

/** Within each run of changes, removed lines first; the remark on a missing line end stays with its line. */
function sortRuns(lines: readonly string[]): string[] {
  const result: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  let last: string[] = result;
  const flush = (): void => {
    result.push(...removed, ...added);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (!line.startsWith("\\")) {
      if (line.startsWith("-")) last = removed;
      else if (line.startsWith("+")) last = added;
      else {
        flush();
        last = result;
      }
    }
    last.push(line);
  }
  flush();
  return result;
}
