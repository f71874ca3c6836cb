import { BASE64URL, runEnd, type Word } from "./characters.ts";
import type { Span } from "./kinds.ts";

/** Base64url of `{"`: how every compact header begins. */
const HEADER_START = "eyJ";
const HEADER_CHARS = 8_192;
/** A JWE has five parts (RFC 7516 section 7.1), a JWS three. */
const MOST_PARTS = 5;

/**
 * Finds JSON Web Tokens in compact form (RFC 7515 section 7.1, RFC 7516 section 7.1), also cut off ones: a header that
 * decodes to a JSON object with `alg`, and at least one part after it.
 */
export class JwtFinder {
  readonly #text: string;
  /** One header is decoded for each run of base64url, so that a run of false headers costs no more than itself. */
  #triedUntil = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find({ start }: Word): Span | undefined {
    if (start < this.#triedUntil || !this.#text.startsWith(HEADER_START, start)) return undefined;
    const headerEnd = runEnd(this.#text, start, BASE64URL);
    this.#triedUntil = headerEnd;
    if (headerEnd - start > HEADER_CHARS || !isHeader(this.#text.slice(start, headerEnd))) return undefined;
    const end = this.#partsEnd(headerEnd);
    return end === headerEnd ? undefined : { start, end, kind: "jwt" };
  }

  #partsEnd(headerEnd: number): number {
    let end = headerEnd;
    let dots = 0;
    for (let at = headerEnd; this.#text[at] === "." && dots < MOST_PARTS - 1; dots++) {
      // A detached payload or a direct key leaves a part empty; a full stop after the token is not its part.
      const partEnd = runEnd(this.#text, at + 1, BASE64URL);
      if (partEnd > at + 1) end = partEnd;
      at = partEnd;
    }
    return end;
  }
}

function isHeader(encoded: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
    return typeof header === "object" && header !== null && "alg" in header && typeof header.alg === "string";
  } catch {
    return false;
  }
}
