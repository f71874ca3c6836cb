const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@([^\n]*)$/;
const BODY = /^[ +\-\\]|^\r?$/;
const CHANGED = /^[+-](?!-- |\+\+ )/;

/**
 * A diff whose hunk headers count the lines that are there: people and models who write diffs by hand miscount.
 * Undefined where a changed line stands outside the hunks: to go on without it would lose a part of the diff.
 */
export function recounted(diff: string): string | undefined {
  const lines = diff.split("\n");
  const result: string[] = [];
  let at = 0;
  let hunks = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const [, oldStart, newStart, rest = ""] = HEADER.exec(line) ?? [];
    at++;
    if (oldStart === undefined || newStart === undefined) {
      if (hunks > 0 && CHANGED.test(line)) return undefined;
      result.push(line);
      continue;
    }
    hunks++;
    const body = bodyFrom(lines, at);
    const count = (mark: string): number =>
      body.filter((one) => one === "" || one === "\r" || one[0] === " " || one[0] === mark).length;
    result.push(`@@ -${oldStart},${count("-")} +${newStart},${count("+")} @@${rest}`, ...body.map(withMark));
    at += body.length;
  }
  return result.join("\n");
}

/** The lines of a hunk: up to one that cannot be in it, or the header of the next file; no blank lines at its end. */
function bodyFrom(lines: readonly string[], start: number): string[] {
  let end = start;
  while (end < lines.length && BODY.test(lines[end] ?? "") && !isFileHeader(lines, end)) end++;
  while (end > start && (lines[end - 1] ?? "").trim() === "" && !(lines[end - 1] ?? "").startsWith(" "))
    end--;
  return lines.slice(start, end);
}

/** An editor that trims line ends takes the mark of an empty line, too. */
const withMark = (line: string): string => (line === "\r" ? " \r" : line);

const isFileHeader = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? "").startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");
