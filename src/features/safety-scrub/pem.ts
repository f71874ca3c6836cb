import { BASE64, isIn, runEnd } from "./characters.ts";
import type { Span } from "./kinds.ts";

/** RFC 7468 section 2 for PEM, RFC 4716 section 3 for the four dashes of SSH2, RFC 9580 section 6.2 for BLOCK. */
const BEGIN = /-{4,5} ?BEGIN (?:[0-9A-Z]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const END = /-{4,5} ?END (?:[0-9A-Z]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
const NEXT_HEADER = /-{4} ?BEGIN /;
const DASHES = "----";
/** A PEM block of an RSA key of 16,384 bits has about 12,800 characters. */
const LONGEST_BLOCK = 32_768;
/** Base64 as no prose has it: a long run, capitals and small letters mixed, or digits among them. */
const KEY_MATERIAL = /[0-9A-Za-z+/]{16}|[a-z][0-9A-Z+]|[A-Z]{2}[a-z]|\d[A-Za-z]/;
const ANY_MATERIAL = /[0-9A-Za-z+/]/;

/** One or more line breaks, real or escaped, with the indentation around them. */
const BREAK = /(?:[ \t]{0,16}(?:\r?\n|\\{1,4}[rn])){1,4}[ \t]{0,16}/y;
/** RFC 1421 section 4.6 and RFC 9580 section 6.2.2: headers before the key itself. */
const HEADER = /[A-Z][0-9A-Za-z-]{2,24}: [^\r\n\\]{1,160}/y;
const MOST_HEADERS = 16;
/** Lines of this length or more are taken for key material even when they hold letters only. */
const SURE_LINE = 24;
const UNLIKE_PROSE = /[0-9+/=]|[a-z][A-Z]|[A-Z]{2}[a-z]/;
const LEAST_MATERIAL = 6;

/**
 * Finds private keys in PEM, of every label, with real or escaped line breaks, also when one end was cut off. A header and a
 * footer that prose speaks of, or with nothing between, stay.
 */
export class PemFinder {
  readonly #text: string;
  #footer: Footer | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The private key that begins at `at`, or whose footer does; `floor` is where the finding before it ended. */
  find(at: number, floor: number): Span | undefined {
    if (!this.#text.startsWith(DASHES, at)) return undefined;
    const header = lastIndexOf(BEGIN, this.#text, at);
    if (header !== undefined) return this.#from(at, header);
    const footer = this.#footerFrom(at);
    return footer.start === at ? this.#upTo(footer, floor) : undefined;
  }

  #from(start: number, bodyStart: number): Span | undefined {
    const footer = this.#footerFrom(bodyStart);
    const body = this.#text.slice(bodyStart, Math.min(footer.start, bodyStart + LONGEST_BLOCK));
    const whole = footer.start - bodyStart <= LONGEST_BLOCK && !NEXT_HEADER.test(body);
    const framed = lastIndexOf(BREAK, this.#text, bodyStart) !== undefined;
    if (whole && (framed ? ANY_MATERIAL : KEY_MATERIAL).test(body))
      return { start, end: footer.end, kind: "private_key" };
    const end = linesEnd(this.#text, bodyStart);
    return end === undefined ? undefined : { start, end, kind: "private_key" };
  }

  #upTo(footer: Footer, floor: number): Span | undefined {
    const start = linesStart(this.#text, footer.start, floor);
    return start === undefined ? undefined : { start, end: footer.end, kind: "private_key" };
  }

  /** The next footer from `at` on; looked for once, whoever asks. */
  #footerFrom(at: number): Footer {
    if (this.#footer === undefined || this.#footer.start < at) {
      END.lastIndex = at;
      const found = END.exec(this.#text);
      const start = found?.index ?? Number.POSITIVE_INFINITY;
      this.#footer = { start, end: start + (found?.[0].length ?? 0) };
    }
    return this.#footer;
  }
}

type Footer = { readonly start: number; readonly end: number };

function lastIndexOf(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** Where the lines of a key that has no footer end. */
function linesEnd(text: string, bodyStart: number): number | undefined {
  let end = bodyStart;
  let material = 0;
  let headers = 0;
  for (let at = bodyStart; ;) {
    const lineStart = lastIndexOf(BREAK, text, at) ?? at;
    if (lineStart === at && at > bodyStart) break;
    const mayBeHeader = material === 0 && headers < MOST_HEADERS;
    const headerEnd = mayBeHeader ? lastIndexOf(HEADER, text, lineStart) : undefined;
    if (headerEnd !== undefined) {
      headers++;
      at = headerEnd;
      continue;
    }
    const lineEnd = paddedEnd(text, runEnd(text, lineStart, BASE64));
    if (!isKeyLine(text.slice(lineStart, lineEnd)) || goesOnAsProse(text, lineStart, lineEnd)) break;
    material += lineEnd - lineStart;
    at = lineEnd;
    end = lineEnd;
  }
  return material >= LEAST_MATERIAL ? end : undefined;
}

/** Where the lines of a key that has no header begin. */
function linesStart(text: string, footerStart: number, floor: number): number | undefined {
  let start = footerStart;
  let material = 0;
  for (let at = footerStart; ;) {
    const lineEnd = beforeBreak(text, at, floor);
    if (lineEnd === at && at !== footerStart) break;
    let lineStart = lineEnd;
    while (lineStart > floor && (isIn(text, lineStart - 1, BASE64) || text[lineStart - 1] === "="))
      lineStart--;
    // What follows a backslash is the letter of an escaped line break.
    if (text[lineStart - 1] === "\\" && lineStart < lineEnd) lineStart++;
    const whole = lineStart === floor || isBreakBefore(text, lineStart);
    if (!isKeyLine(text.slice(lineStart, lineEnd)) || !whole) break;
    material += lineEnd - lineStart;
    start = lineStart;
    at = lineStart;
  }
  return material >= LEAST_MATERIAL ? start : undefined;
}

const isBreakBefore = (text: string, at: number): boolean =>
  /[\s"'`>]|\\[nr]/.test(text.slice(Math.max(0, at - 2), at));

function beforeBreak(text: string, from: number, floor: number): number {
  let at = from;
  for (;;) {
    if (at > floor && /\s/.test(text.charAt(at - 1))) at--;
    else if (at - 1 > floor && /\\[nr]/.test(text.slice(at - 2, at))) at -= 2;
    else return at;
  }
}

/** A word as prose has it is no line of a key, unless it is as long as one. */
const isKeyLine = (line: string): boolean => line.length >= SURE_LINE || UNLIKE_PROSE.test(line);

const goesOnAsProse = (text: string, start: number, end: number): boolean =>
  end - start < SURE_LINE && text[end] === " ";

function paddedEnd(text: string, end: number): number {
  let padded = end;
  while (text[padded] === "=") padded++;
  return padded;
}
