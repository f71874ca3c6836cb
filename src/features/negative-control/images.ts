import { applyPatch, type StructuredPatch } from "diff";
import type { Hunk } from "./diff.ts";

/** What a fix changes and what it shows around that, line by line, without the marks. */
export type LineChanges = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly string[];
};

/** The lines of all files of a diff. */
export function lineChanges(files: readonly StructuredPatch[]): LineChanges {
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const marked = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
  return { added: marked("+"), removed: marked("-"), kept: marked(" ") };
}

/**
 * Whether `revert` takes `fix` back: each of its hunks, applied to what the fix's hunk leaves, gives what the hunk
 * started from. The files themselves are not there, so the lines between hunks are not looked at.
 */
export function takesBack(revert: readonly StructuredPatch[], fix: readonly StructuredPatch[]): boolean {
  const reverting = revert.toReversed().flatMap(({ hunks }) => hunks);
  const fixing = fix.flatMap(({ hunks }) => hunks);
  return (
    reverting.length === fixing.length &&
    fixing.every((hunk, index) => {
      const back = reverting[index];
      return back !== undefined && applyHunk(back, imageOf(hunk, "+")) === imageOf(hunk, "-");
    })
  );
}

/** A hunk's lines before (`-`) or after (`+`) it, as a text. */
export function imageOf({ lines }: Hunk, side: "-" | "+"): string {
  const image: string[] = [];
  let isOurs = false;
  for (const line of lines) {
    if (line.startsWith("\\")) {
      if (isOurs) image.push((image.pop() ?? "").slice(0, -1));
      continue;
    }
    isOurs = line === "" || line.startsWith(" ") || line.startsWith(side);
    if (isOurs) image.push(`${line.slice(1)}\n`);
  }
  return image.join("");
}

function applyHunk(hunk: Hunk, image: string): string | false {
  const alone = { ...hunk, oldStart: 1, newStart: 1 };
  return applyPatch(
    image,
    { oldFileName: "", newFileName: "", oldHeader: "", newHeader: "", hunks: [alone] },
    { autoConvertLineEndings: false },
  );
}
