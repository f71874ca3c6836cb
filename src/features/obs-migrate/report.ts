import { cutCodePoints } from "../../core/catalog/input.ts";

/** Lines of each kind: more say nothing that a person would read, and could be larger than what was sent. */
const MAX_LINES = 5_000;
const NAME_CHARS = 80;
const PATH_CHARS = 400;

/** What was done to the files, and what is left to do by hand. */
export class Report {
  readonly #changes = new Lines("changes");
  readonly #steps = new Lines("steps");

  /** `where` says of whom and what: it is only asked for as long as there is room. */
  change(where: () => string, from: string, to: string): void {
    this.#changes.add(() => `${where()}: ${cut(from)} -> ${cut(to)}`);
  }

  /** A step that is asked for several times is one. */
  step(sentence: () => string): void {
    this.#steps.add(sentence);
  }

  get changes(): string[] {
    return this.#changes.all();
  }

  get steps(): string[] {
    return this.#steps.all();
  }
}

class Lines {
  readonly #what: string;
  readonly #lines = new Set<string>();
  #left = 0;

  constructor(what: string) {
    this.#what = what;
  }

  add(line: () => string): void {
    if (this.#lines.size < MAX_LINES) this.#lines.add(line());
    else this.#left++;
  }

  all(): string[] {
    return [...this.#lines, ...(this.#left === 0 ? [] : [`And ${this.#left} more ${this.#what}.`])];
  }
}

const cut = (text: string): string => cutCodePoints(text, PATH_CHARS);

/** A path or a value in a sentence. */
export const shown = cut;

/** A name that somebody gave, in a sentence. */
export const quoted = (name: string): string => JSON.stringify(cutCodePoints(name, NAME_CHARS));

/** The name of a file, in a sentence. */
export const fileName = (name: string): string => cutCodePoints(name, NAME_CHARS);
