import type { HandlerContext } from "../../src/core/catalog/define.ts";
import { noConsents } from "../../src/core/consents/none.ts";
import { noMemory } from "../../src/core/memory/none.ts";
import { noModels } from "../../src/core/models/none.ts";
import { noProber } from "../../src/core/probe/none.ts";

/** What a handler is given, for calling it directly: every service refuses, but those that the test brings. */
export function handlerContext(own: Partial<HandlerContext> = {}): HandlerContext {
  return {
    callId: "call_test",
    accountId: "acc_test",
    signal: new AbortController().signal,
    leftMs: () => Number.POSITIVE_INFINITY,
    artifacts: { put: () => Promise.reject(new Error("This test stores nothing.")) },
    models: noModels("This test asks no model."),
    memory: noMemory("This test remembers nothing."),
    consents: noConsents("This test reads no consents."),
    prober: noProber("This test looks at no hosts."),
    baseUrl: "https://meshforge.test",
    progress: () => undefined,
    effect: () => undefined,
    countTokens: () => undefined,
    ...own,
  };
}
