import { LIMITS } from "../../src/core/limits.ts";

/** Limits of the platform that a test changes, so that none of them runs out because the machine is busy. */
export type ChangedLimits = { readonly [Name in keyof typeof LIMITS]?: number };

/** Changes limits for all that this process does from now on. A test file has a process of its own. */
export function changeLimits(changes: ChangedLimits): void {
  Object.assign(LIMITS, changes);
}

/** The environment in which a process of Node starts with these limits. */
export function withLimits(changes: ChangedLimits): {
  readonly NODE_OPTIONS: string;
  readonly TEST_LIMITS: string;
} {
  return {
    NODE_OPTIONS: `--import=${import.meta.resolve("./limits-preload.ts")}`,
    TEST_LIMITS: JSON.stringify(changes),
  };
}
