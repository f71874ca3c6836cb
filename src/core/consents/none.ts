import type { ConsentPort } from "./consents.ts";

/** Consents that nobody can ask for, for this reason. */
export const noConsents = (reason: string): ConsentPort => ({
  verdict: () => Promise.reject(new Error(reason)),
});
