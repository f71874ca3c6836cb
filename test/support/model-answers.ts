import { fileURLToPath } from "node:url";
import type { ChatRequest, ModelPort } from "../../src/core/models/models.ts";
import type { OfflineMethod } from "../../src/core/models/offline.ts";

const CAPABILITIES = fileURLToPath(new URL("../../src/features/", import.meta.url));
const TOKENS = { prompt: 1, completion: 1 };
const noImage = (): Promise<never> => Promise.reject(new Error("This test draws nothing."));

/** Models that answer in this process by the offline method of the task, without a server between. */
export function offlineModels(): ModelPort {
  return {
    chat: async ({ tier, task, messages, schema }) => {
      const { default: method } = (await import(`${CAPABILITIES}${task}/offline.ts`)) as {
        default: OfflineMethod;
      };
      const data = JSON.parse(messages[1]?.content ?? "") as Record<string, unknown>;
      return {
        text: JSON.stringify(method({ data, schema, tier })),
        model: `offline-${tier}`,
        tokens: TOKENS,
      };
    },
    image: noImage,
  };
}

export type ScriptedModels = ModelPort & {
  /** What was asked so far. */
  readonly asked: readonly ChatRequest[];
};

/** Models that give these answers, one after the other, the last one for ever. What is no text is given as JSON. */
export function scriptedModels(...answers: readonly unknown[]): ScriptedModels {
  const asked: ChatRequest[] = [];
  return {
    asked,
    chat: (request) => {
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push({ ...request, messages: [...request.messages] });
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      return Promise.resolve({ text, model: "scripted", tokens: TOKENS });
    },
    image: noImage,
  };
}
