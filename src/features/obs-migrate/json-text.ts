import { readTape } from "./json-tape.ts";

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
/** Ints of one value on the tape. */
const WIDTH = 3;

/**
 * A JSON text that remembers where each of its values stands, so that single ones can be changed and every other
 * character stays as it is. The values lie on a tape of integers, 12 bytes each, and nothing is decoded before it is
 * asked for: reading is linear in time and space whatever the text holds.
 */
export class JsonText {
  readonly text: string;
  readonly #tape: Int32Array;

  private constructor(text: string, tape: Int32Array) {
    this.text = text;
    this.#tape = tape;
  }

  /** Reads a text; undefined when it is no JSON (RFC 8259), or nested deeper than 256 levels. */
  static read(text: string): JsonText | undefined {
    const tape = readTape(text);
    return tape === undefined ? undefined : new JsonText(text, tape);
  }

  get root(): JsonValue {
    return new JsonValue(this.text, this.#tape, 0);
  }

  /** The strings of the text, keys among them, that begin as a sticky pattern says. */
  *stringsStarting(start: RegExp): Generator<string> {
    for (let at = 0; at < this.#tape.length; at += WIDTH) {
      const place = this.#tape[at] ?? 0;
      if (this.text.charCodeAt(place) !== QUOTE) continue;
      start.lastIndex = place + 1;
      if (!start.test(this.text)) continue;
      yield new JsonValue(this.text, this.#tape, at).string ?? "";
    }
  }
}

/** One value of a text. */
export class JsonValue {
  readonly #text: string;
  readonly #tape: Int32Array;
  readonly #at: number;

  constructor(text: string, tape: Int32Array, at: number) {
    this.#text = text;
    this.#tape = tape;
    this.#at = at;
  }

  get start(): number {
    return this.#tape[this.#at] ?? 0;
  }

  get end(): number {
    return this.#tape[this.#at + 1] ?? 0;
  }

  /** The value as it is written. */
  get source(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** The text of a string; undefined for every other value. */
  get string(): string | undefined {
    if (this.#text.charCodeAt(this.start) !== QUOTE) return undefined;
    const inner = this.#text.slice(this.start + 1, this.end - 1);
    return inner.includes("\\") ? (JSON.parse(this.source) as string) : inner;
  }

  get isObject(): boolean {
    return this.#text.charCodeAt(this.start) === OPEN_BRACE;
  }

  /** The items of an array; none for every other value. */
  *items(): Generator<JsonValue> {
    if (this.#text.charCodeAt(this.start) === OPEN_BRACKET) yield* this.#children();
  }

  /** The members of an object in their order, also those that are written twice; none for every other value. */
  *members(): Generator<{ readonly key: JsonValue; readonly value: JsonValue }> {
    if (!this.isObject) return;
    let key: JsonValue | undefined;
    for (const child of this.#children()) {
      if (key === undefined) key = child;
      else {
        yield { key, value: child };
        key = undefined;
      }
    }
  }

  /** The member of an object that counts for a reader: the last of its name. */
  get(name: string): JsonValue | undefined {
    let found: JsonValue | undefined;
    for (const { key, value } of this.members()) if (key.string === name) found = value;
    return found;
  }

  *#children(): Generator<JsonValue> {
    const end = this.#tape[this.#at + 2] ?? 0;
    let at = this.#at + WIDTH;
    while (at < end) {
      yield new JsonValue(this.#text, this.#tape, at);
      at = this.#tape[at + 2] ?? end;
    }
  }
}
