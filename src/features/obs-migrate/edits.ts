/** A change of a text: what stands from `start` to `end` becomes `text`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** The text with its edits, which do not overlap, made. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(at);
}
