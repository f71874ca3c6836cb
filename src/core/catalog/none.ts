import type { FeatureServices } from "./define.ts";

/** Services of features that nobody can ask for, for this reason. */
export const noFeatures = (reason: string): FeatureServices =>
  new Proxy({} as FeatureServices, {
    get: () => {
      throw new Error(reason);
    },
  });
