/** A value in a text, as data, with how and where the text spells it. */
export type Found<T = string | number> = {
  readonly value: T;
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** All matches of a global pattern that `read` makes a value of, in order; undefined passes one over. */
export function findAll<T>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => T | undefined,
): Found<T>[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = read(match);
    const end = match.index + match[0].length;
    return value === undefined ? [] : [{ value, text: match[0], start: match.index, end }];
  });
}

/** Without those that overlap an earlier one, in the order of the text. */
export function withoutOverlaps<T>(found: readonly Found<T>[]): Found<T>[] {
  const result: Found<T>[] = [];
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start >= (result.at(-1)?.end ?? 0)) result.push(one);
  }
  return result;
}
