const NO_BREAK_SPACE = 0xa0;
const NARROW_NO_BREAK_SPACE = 0x202f;

export const NO_SEPARATOR = 0;
export const SPACE = 1;
export const HYPHEN = 2;
const DOT = 3;
const SLASH = 4;
const PLUS = 5;
/** How many codes there are. */
export const SEPARATOR_CODES = 6;

/** What stands between the groups of a number. */
export const SEPARATORS = /[ \u00a0\u202f./+-]/g;

/** Which separator stands at an offset, if any. Spaces count as one, breaking or not. */
export function separatorCode(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case 0x20:
    case NO_BREAK_SPACE:
    case NARROW_NO_BREAK_SPACE:
      return SPACE;
    case 0x2d:
      return HYPHEN;
    case 0x2e:
      return DOT;
    case 0x2f:
      return SLASH;
    case 0x2b:
      return PLUS;
    default:
      return NO_SEPARATOR;
  }
}
