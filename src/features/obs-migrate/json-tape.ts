const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Ints of one value on the tape: where it starts and ends in the text, and where the next one is on the tape. */
const WIDTH = 3;
const FIRST_CAPACITY = 1_024;
const MAX_DEPTH = 256;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]}]|$)/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Where the values of a JSON text stand, in the order in which they begin: for each its start and its end in the text,
 * and the place of the one after it, its contents left out. The keys of an object stand before their values. Undefined
 * when the text is no JSON (RFC 8259), but for a byte order mark before it, or nested deeper than 256 levels.
 */
export const readTape = (text: string): Int32Array | undefined => new Reader(text).read();

/** Without recursion. */
class Reader {
  readonly #text: string;
  #tape: Int32Array;
  #length = 0;
  #at = 0;
  /** The open arrays and objects, by their places on the tape. */
  readonly #open: number[] = [];

  constructor(text: string) {
    this.#text = text;
    // A value takes two characters at least, with what parts it from the next one: there may be very many short texts.
    this.#tape = new Int32Array(Math.min(FIRST_CAPACITY, (text.length >> 1) + 1) * WIDTH);
  }

  read(): Int32Array | undefined {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1;
    this.#space();
    let expectsValue = true;
    for (;;) {
      if (expectsValue ? !this.#value() : !this.#close()) return undefined;
      this.#space();
      if (this.#open.length === 0) break;
      const next = this.#afterValue();
      if (next === undefined) return undefined;
      expectsValue = next;
    }
    return this.#at === this.#text.length ? this.#tape.slice(0, this.#length) : undefined;
  }

  /** What comes next inside an open value: a value (true) or its end (false); undefined when neither may. */
  #afterValue(): boolean | undefined {
    const place = this.#open.at(-1) ?? 0;
    const isEmpty = this.#length === place + WIDTH;
    const inObject = this.#text.charCodeAt(this.#tape[place] ?? 0) === OPEN_BRACE;
    const code = this.#text.charCodeAt(this.#at);
    if (code === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) return false;
    if (!isEmpty) {
      if (code !== COMMA) return undefined;
      this.#at++;
      this.#space();
    }
    if (!inObject) return true;
    if (this.#text.charCodeAt(this.#at) !== QUOTE || !this.#string()) return undefined;
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== COLON) return undefined;
    this.#at++;
    this.#space();
    return true;
  }

  #value(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#string();
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (this.#open.length === MAX_DEPTH) return false;
      this.#open.push(this.#push(this.#at, 0));
      this.#at++;
      return true;
    }
    LITERAL.lastIndex = this.#at;
    if (!LITERAL.test(this.#text)) return false;
    this.#push(this.#at, LITERAL.lastIndex);
    this.#at = LITERAL.lastIndex;
    return true;
  }

  #close(): boolean {
    const place = this.#open.pop() ?? 0;
    this.#at++;
    this.#tape[place + 1] = this.#at;
    this.#tape[place + 2] = this.#length;
    return true;
  }

  #string(): boolean {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        this.#push(start, this.#at);
        return true;
      }
      if (code < 0x20) return false;
      if (code !== BACKSLASH) continue;
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(this.#text)) return false;
      at = ESCAPE.lastIndex - 1;
    }
    return false;
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
  }

  /** Puts a value on the tape; gives its place. */
  #push(start: number, end: number): number {
    if (this.#length === this.#tape.length) {
      const larger = new Int32Array(this.#tape.length * 2);
      larger.set(this.#tape);
      this.#tape = larger;
    }
    const place = this.#length;
    this.#length += WIDTH;
    this.#tape[place] = start;
    this.#tape[place + 1] = end;
    this.#tape[place + 2] = this.#length;
    return place;
  }
}
