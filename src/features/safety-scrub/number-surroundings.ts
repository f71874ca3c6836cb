import { ALNUM, DIGIT, isIn, runEnd, runStart, type Word } from "./characters.ts";
import { separatorCode, SPACE } from "./separators.ts";

const NEIGHBOUR_DIGITS = 19;
const PHONE_LOOKBACK = 20;
const PHONE_MARKS = " -().";
const LABEL_LOOKBACK = 48;
const LABEL_GAP = 24;

/** Whether a number is whole: no part of a longer one, of a decimal or of a UUID. */
export function standsAlone(text: string, start: number, end: number, hyphens: boolean): boolean {
  const joined = hyphens ? ALNUM : DIGIT;
  if (text[start - 1] === "-" && isIn(text, start - 2, joined)) return false;
  if (text[end] === "-" && isIn(text, end + 1, joined)) return false;
  if (text[start - 1] === "." && isIn(text, start - 2, DIGIT)) return false;
  return !(text[end] === "." && isIn(text, end + 1, DIGIT));
}

/** Whether what stands before makes this a phone number with its country (ITU-T E.123: a plus, then groups). */
export function followsPlus(text: string, start: number): boolean {
  for (let at = start - 1; at >= start - PHONE_LOOKBACK; at--) {
    if (isIn(text, at, DIGIT)) continue;
    if (text[at] === "+") return isIn(text, at + 1, DIGIT);
    if (at < 0 || !PHONE_MARKS.includes(text.charAt(at))) return false;
  }
  return false;
}

/** Whether more groups of the same length stand before or after: those of an IBAN, or of a card that fails its check. */
export function goesOnInGroups(text: string, first: Word, last: Word): boolean {
  const before = first.start - 1;
  const after = last.end + 1;
  return (
    (isSpace(text, before) &&
      before - runStart(text, before, DIGIT, 0, NEIGHBOUR_DIGITS) === first.end - first.start) ||
    (isSpace(text, last.end) && runEnd(text, after, DIGIT) - after === last.end - last.start)
  );
}

/** Whether a space, breaking or not, stands at an offset. */
export const isSpace = (text: string, at: number): boolean => separatorCode(text, at) === SPACE;

/** The text before a number, in small letters, when it may hold a label; empty when digits or nothing stand there. */
export function labelText(text: string, start: number, floor: number): string {
  const least = Math.max(floor, start - LABEL_GAP);
  for (let at = start - 1; at >= least; at--) {
    // A bracket may be that of a marker, and what a marker says is no label.
    if (isIn(text, at, DIGIT) || text[at] === "]" || text[at] === "[") return "";
    if (isIn(text, at, ALNUM) || text.charCodeAt(at) > 127) {
      return text.slice(Math.max(floor, start - LABEL_LOOKBACK), start).toLowerCase();
    }
  }
  return "";
}

/** Whether one of the labels ends near enough to the end of the text before a number. */
export function isLabelled(before: string, labels: readonly string[]): boolean {
  return labels.some((label) => {
    const at = before.lastIndexOf(label);
    if (at < 0 || isIn(before, at - 1, ALNUM)) return false;
    const gap = before.slice(at + label.length);
    return gap.length <= LABEL_GAP && !isIn(gap, 0, ALNUM) && !/[\d[\]]/.test(gap);
  });
}
