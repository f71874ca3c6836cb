import { FILE_HEADERS_ONLY, formatPatch, parsePatch, reversePatch, type StructuredPatch } from "diff";
import { recounted } from "./hunk-counts.ts";

export type Hunk = StructuredPatch["hunks"][number];

const FENCE = "```";
const HUNK_HEADER = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;
/** Before this a mail of `git format-patch` ends, with the version of git behind; it reads like a removed line. */
const MAIL_SIGNATURE = "\n-- \n";
const GIT_VERSION = /^\d[^\n]{0,80}$/;

/**
 * The files of a unified diff: plain, git's, a mail of `git format-patch`, in a fence, with wrong line counts.
 * Undefined for a text that is none, is damaged, or changes no line.
 */
export function parseDiff(text: string): StructuredPatch[] | undefined {
  const diff = withoutSignature(unfenced(text));
  if (!HUNK_HEADER.test(diff)) return undefined;
  const files = (tryToParse(diff) ?? tryToParse(recounted(diff)))?.filter(changesSomething).map(named);
  return files?.some(({ hunks }) => hunks.some(changesLines)) ? files : undefined;
}

/** What stands in the first fence of Markdown, where there is one. */
function unfenced(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith(FENCE));
  const last = lines.findIndex((line, index) => index > first && line.trimEnd() === FENCE);
  return first === -1 || last === -1 ? text : `${lines.slice(first + 1, last).join("\n")}\n`;
}

function withoutSignature(text: string): string {
  const at = text.lastIndexOf(MAIL_SIGNATURE);
  const isSignature = at !== -1 && GIT_VERSION.test(text.slice(at + MAIL_SIGNATURE.length).trim());
  return isSignature ? text.slice(0, at + 1) : text;
}

function tryToParse(diff: string | undefined): StructuredPatch[] | undefined {
  if (diff === undefined) return undefined;
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
