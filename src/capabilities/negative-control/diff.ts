import { FILE_HEADERS_ONLY, formatPatch, parsePatch, reversePatch, type StructuredPatch } from "diff";
import { recounted } from "./hunk-counts.ts";

export type Hunk = StructuredPatch["hunks"][number];

const FENCED = /^```[a-z]*\n([\s\S]*?)\n```/m;
const HUNK_HEADER = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;
/** With this a mail of `git format-patch` ends; its first line reads like a removed one. */
const MAIL_SIGNATURE = /\n-- \n[\d.]+[^\n]*\s*$/;

/**
 * The files of a unified diff: plain, git's, a mail of `git format-patch`, in a fence, with wrong line counts.
 * Undefined for a text that is none, is damaged, or changes no line.
 */
export function parseDiff(text: string): StructuredPatch[] | undefined {
  const fenced = FENCED.exec(text)?.[1];
  const diff = (fenced === undefined ? text : `${fenced}\n`).replace(MAIL_SIGNATURE, "\n");
  if (!HUNK_HEADER.test(diff)) return undefined;
  const files = (tryToParse(diff) ?? tryToParse(recounted(diff)))?.filter(changesSomething).map(named);
  return files?.some(({ hunks }) => hunks.some(changesLines)) ? files : undefined;
}

function tryToParse(diff: string): StructuredPatch[] | undefined {
  try {
    return parsePatch(diff);
  } catch {
    // jsdiff throws for what is no diff, and for it to be none is an answer here.
    return undefined;
  }
}

/** Prose behind the last hunk counts as a file without changes; a file that is only renamed has no hunks. */
const changesSomething = ({ hunks, isRename, oldMode, newMode }: StructuredPatch): boolean =>
  hunks.length > 0 || isRename === true || oldMode !== newMode;

/** A header of git's without readable names cannot be written again. */
const named = (file: StructuredPatch): StructuredPatch =>
  file.isGit === true && !(file.oldFileName && file.newFileName) ? { ...file, isGit: false } : file;

const changesLines = ({ lines }: Hunk): boolean => lines.some((line) => /^[+-]/.test(line));

/** The diff that takes a diff back: applied after it, every line is as before. */
export function invertDiff(files: readonly StructuredPatch[]): string {
  return reversePatch([...files])
    .map((file) => ({
      ...file,
      hunks: file.hunks.map((hunk) => ({ ...hunk, lines: removedFirst(hunk.lines) })),
    }))
    .map((file) => formatPatch(file, FILE_HEADERS_ONLY))
    .join("");
}

/** Removed before added lines within each run of changes; `\ No newline ...` stays with its line. */
function removedFirst(lines: readonly string[]): string[] {
  const ordered: string[] = [];
  let run: { removed: string[]; added: string[] } = { removed: [], added: [] };
  let last = ordered;
  const endRun = (): void => {
    ordered.push(...run.removed, ...run.added);
    run = { removed: [], added: [] };
    last = ordered;
  };
  for (const line of lines) {
    if (line.startsWith("-")) last = run.removed;
    else if (line.startsWith("+")) last = run.added;
    else if (!line.startsWith("\\")) endRun();
    last.push(line);
  }
  endRun();
  return ordered;
}
