import type { Prober } from "./probe.ts";

/** A prober that looks at nothing, for this reason. */
export const noProber = (reason: string): Prober => ({ open: () => Promise.reject(new Error(reason)) });
