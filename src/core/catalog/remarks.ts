import { LIMITS } from "../limits.ts";
import type { KnownFields } from "../json-schema/known-fields.ts";
import { nearest } from "../nearest.ts";
import { cutCodePoints } from "./input.ts";

/** What is told of an input that is taken all the same. */
export type Remarks = readonly string[];

/**
 * Names the fields of a value that nobody knows, with the known one that comes nearest: the first `LIMITS.remarks` of
 * them, and how many more there are. Of a very large value only so much is looked at.
 */
export function unknownFields(value: unknown, known: KnownFields | undefined, what = "field"): Remarks {
  if (known === undefined) return [];
  const look = new Look(what);
  look.into(value, known);
  return look.remarks;
}

class Look {
  readonly #what: string;
  readonly #remarks: string[] = [];
  readonly #path: (string | number)[] = [];
  #more = 0;
  #left: number = LIMITS.remarkedValues;

  constructor(what: string) {
    this.#what = what;
  }

  get remarks(): Remarks {
    if (this.#more === 0) return this.#remarks;
    return [...this.#remarks, `${this.#more} more unknown ${this.#what}s`];
  }

  into(value: unknown, known: KnownFields): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) this.#items(value, known);
    else this.#fields(value as Readonly<Record<string, unknown>>, known);
  }

  #items(items: readonly unknown[], known: KnownFields): void {
    const each = known.within(0);
    if (each === undefined) return;
    for (const [index, item] of items.entries()) this.#inside(index, item, each);
  }

  #fields(object: Readonly<Record<string, unknown>>, known: KnownFields): void {
    for (const key of Object.keys(object)) {
      if (known.names !== null && !known.names.has(key)) {
        this.#tell(key, known.names);
        continue;
      }
      const within = known.within(key);
      if (within !== undefined) this.#inside(key, object[key], within);
    }
  }

  #inside(key: string | number, value: unknown, known: KnownFields): void {
    if (typeof value !== "object" || value === null || this.#left-- <= 0) return;
    this.#path.push(key);
    this.into(value, known);
    this.#path.pop();
  }

  #tell(key: string, names: ReadonlySet<string>): void {
    if (this.#remarks.length >= LIMITS.remarks) {
      this.#more += 1;
      return;
    }
    const path = [...this.#path, key].join(".");
    const [near] = nearest(key, names);
    const hint = near === undefined ? "" : `; did you mean \`${near}\`?`;
    this.#remarks.push(`unknown ${this.#what} \`${shortened(path, LIMITS.remarkPathChars)}\`${hint}`);
  }
}

/** Says that a value was not taken, and what was in its place. */
export const replaced = (key: string, given: unknown, taken: string): string =>
  `\`${key}\`: ${shortened(JSON.stringify(given) ?? "", LIMITS.remarkValueChars)} is not known here; \`${taken}\` is taken`;

function shortened(text: string, chars: number): string {
  const cut = cutCodePoints(text, chars);
  return cut === text ? text : `${cut}...`;
}
