import { isForeignPath, safeName } from "./windows-path.ts";

const DEVICE = /^\/(?:dev|proc|sys)\//;

/** The one folder into which all media go. The same path gets the same name, two paths never do. */
export class MediaFolder {
  readonly #folder: string;
  readonly #placed = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #lastNumber = new Map<string, number>();

  /** `folder` as `windowsFolder` gives it. */
  constructor(folder: string) {
    this.#folder = folder.endsWith("/") ? folder : `${folder}/`;
  }

  /** Keeps the name of a path of Windows, with forward slashes, when it lies in the folder already. */
  reserve(path: string): void {
    const name = caseless(path);
    if (name.startsWith(caseless(this.#folder))) this.#taken.add(name.slice(this.#folder.length));
  }

  /** Where a file of macOS or Linux goes; undefined when its path names none, as `/..` and devices do. */
  place(path: string): string | undefined {
    const known = this.#placed.get(path);
    if (known !== undefined) return known;
    const last = path.split("/").findLast((part) => part !== "");
    if (!isForeignPath(path) || DEVICE.test(path)) return undefined;
    if (last === undefined || last === "." || last === "..") return undefined;
    const placed = `${this.#folder}${this.#freeName(safeName(last))}`;
    this.#placed.set(path, placed);
    return placed;
  }

  /** All that was placed, in the order in which it came: from where to where. */
  get moves(): ReadonlyMap<string, string> {
    return this.#placed;
  }

  /** The name, or the name with the first number from 2 that is free: `logo-2.png`. */
  #freeName(name: string): string {
    const dot = name.lastIndexOf(".");
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    const same = caseless(name);
    let number = this.#lastNumber.get(same) ?? 1;
    let free = name;
    let taken = same;
    while (this.#taken.has(taken)) {
      free = `${stem}-${++number}${extension}`;
      taken = caseless(free);
    }
    this.#lastNumber.set(same, number);
    this.#taken.add(taken);
    return free;
  }
}

/** Windows takes names that differ in case only for one; macOS writes accents apart. */
const caseless = (name: string): string => name.normalize("NFC").toLowerCase();
