import type { HandlerContext } from "../../src/core/catalog/define.ts";
import { noFeatures } from "../../src/core/catalog/none.ts";
import { noMemory } from "../../src/core/memory/none.ts";
import { noModels } from "../../src/core/models/none.ts";

/** What a handler is given, for calling it directly: every service refuses, but those that the test brings. */
export function handlerContext(own: Partial<HandlerContext> = {}): HandlerContext {
  return {
    capability: { slug: "test" },
    callId: "call_test",
    accountId: "acc_test",
    warnings: [],
    signal: new AbortController().signal,
    leftMs: () => Number.POSITIVE_INFINITY,
    artifacts: { put: () => Promise.reject(new Error("This test stores nothing.")) },
    models: noModels("This test asks no model."),
    memory: noMemory("This test remembers nothing."),
    features: noFeatures("This test brings no services of features."),
    baseUrl: "https://meshforge.test",
    progress: () => undefined,
    effect: () => undefined,
    countTokens: () => undefined,
    ...own,
  };
}
