import { OutOfSteps, type ValueFault } from "./faults.ts";
import { SCHEMA_LIMITS } from "./limits.ts";

/** One check of one value: what is left of its steps, where it stands, and what it has found. */
export class Run {
  readonly faults: ValueFault[] = [];
  readonly path: (string | number)[] = [];
  readonly #steps: number;
  #left: number;
  #quiet = 0;

  constructor(steps: number) {
    this.#steps = steps;
    this.#left = steps;
  }

  /** Whether what fails is not told: one branch of several may. Then the first fault is enough. */
  get quiet(): boolean {
    return this.#quiet > 0;
  }

  /** Throws `OutOfSteps` when there are no more. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps(this.#steps);
  }

  /** Notes a fault at this place, or below it; gives false. */
  fail(message: string | (() => string), below?: string): false {
    if (this.quiet || this.faults.length >= SCHEMA_LIMITS.faultsShown) return false;
    const path = below === undefined ? [...this.path] : [...this.path, below];
    this.faults.push({ path, message: typeof message === "string" ? message : message() });
    return false;
  }

  quietly(check: () => boolean): boolean {
    this.#quiet += 1;
    try {
      return check();
    } finally {
      this.#quiet -= 1;
    }
  }

  /** Checks a part of the value. */
  inside(key: string | number, check: () => boolean): boolean {
    if (this.path.length >= SCHEMA_LIMITS.valueDepth)
      return this.fail(`must not be nested deeper than ${SCHEMA_LIMITS.valueDepth} levels`);
    this.path.push(key);
    const holds = check();
    this.path.pop();
    return holds;
  }
}

/** What of a value the schemas that it fits have looked at: what is left is for `unevaluatedItems` and its like. */
export class Seen {
  readonly keys = new Set<string>();
  readonly items = new Set<number>();

  add(other: Seen): void {
    for (const key of other.keys) this.keys.add(key);
    for (const item of other.items) this.items.add(item);
  }
}
