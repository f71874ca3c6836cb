import { describe, expect, it } from "vitest";
import { type ModelClient, ModelFault, type ModelFaultKind } from "../../../src/core/models/client.ts";
import { ModelGateway } from "../../../src/core/models/gateway.ts";
import type { ChatReply } from "../../../src/core/models/models.ts";

const TIMEOUT_MS = 5_000;
const REPLY: ChatReply = { text: "{}", model: "m", tokens: { prompt: 1, completion: 1 } };
const QUESTION = { tier: "small", task: "test", messages: [], schema: {} } as const;

type Answer = ChatReply | ModelFault;

/** A gateway to a server that gives these answers, the last one for ever, and what happened in it. */
function gatewayTo(answers: readonly Answer[], openMs: number | null = null) {
  const timeouts: number[] = [];
  const turns = { taken: 0, ended: 0 };
  const client: ModelClient = {
    chat: (_request, timeoutMs) => {
      const answer = answers[Math.min(timeouts.length, answers.length - 1)];
      timeouts.push(timeoutMs);
      return answer === undefined || answer instanceof ModelFault
        ? Promise.reject(answer ?? new Error("no answer"))
        : Promise.resolve(answer);
    },
    image: () => Promise.reject(new ModelFault("refused")),
  };
  const gateway = new ModelGateway({
    tiers: {
      small: { client: () => Promise.resolve(client), timeoutMs: TIMEOUT_MS },
      large: { client: null, timeoutMs: TIMEOUT_MS },
      image: { client: null, timeoutMs: TIMEOUT_MS },
    },
    slots: {
      take: () => {
        turns.taken++;
        return Promise.resolve(() => void turns.ended++);
      },
    },
    circuits: { openMs: () => Promise.resolve(openMs), through: (_passage, send) => send() },
  });
  const ask = (leftMs?: () => number, signal = new AbortController().signal): Promise<ChatReply> =>
    gateway.chat({ ...QUESTION, signal, ...(leftMs === undefined ? {} : { leftMs }) });
  return { gateway, ask, timeouts, turns };
}

const fault = (kind: ModelFaultKind, about: { status?: number; retryAfterMs?: number } = {}): ModelFault =>
  new ModelFault(kind, about);

describe("a question", () => {
  it("is sent in a turn, which ends with it", async () => {
    const { ask, turns, timeouts } = gatewayTo([REPLY]);
    expect(await ask()).toEqual(REPLY);
    expect(turns).toEqual({ taken: 1, ended: 1 });
    expect(timeouts).toEqual([TIMEOUT_MS]);
  });

  it.each(["failing", "busy"] as const)(
    "is sent again in the same turn when the server is %s",
    async (kind) => {
      const { ask, turns, timeouts } = gatewayTo([fault(kind), REPLY]);
      expect(await ask()).toEqual(REPLY);
      expect(timeouts).toHaveLength(2);
      expect(turns).toEqual({ taken: 1, ended: 1 });
    },
  );

  it.each([
    ["refused", "model_unavailable"],
    ["unusable", "model_unavailable"],
    ["slow", "model_unavailable"],
    ["garbled", "upstream_failed"],
    ["open", "model_unavailable"],
    ["aborted", "cancelled"],
  ] as const)("is not sent again when it was %s, and ends as %s", async (kind, code) => {
    const { ask, turns, timeouts } = gatewayTo([fault(kind), REPLY]);
    await expect(ask()).rejects.toMatchObject({ name: "AppError", code });
    expect(timeouts).toHaveLength(1);
    expect(turns).toEqual({ taken: 1, ended: 1 });
  });

  it("is not sent again where the wait that the server asks for would pass the call's deadline", async () => {
    const { ask, timeouts } = gatewayTo([fault("busy", { status: 429, retryAfterMs: 30_000 })]);
    const began = performance.now();
    await expect(ask(() => 20_000)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/overloaded \(HTTP 429\).*in 30 s/),
    });
    expect(timeouts).toHaveLength(1);
    // Without the 30 s that the server asks for.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it("is not sent again where the server asks for more than a minute, also without a deadline", async () => {
    const { ask, timeouts } = gatewayTo([fault("failing", { status: 503, retryAfterMs: 1e12 })]);
    await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" });
    expect(timeouts).toHaveLength(1);
  });

  it("has no longer than its call, with some time to say why it failed", async () => {
    const { ask, timeouts } = gatewayTo([REPLY]);
    await ask(() => 1_000);
    expect(timeouts).toEqual([800]);
  });

  it("is not sent when its call has no time left", async () => {
    const { ask, timeouts, turns } = gatewayTo([REPLY]);
    await expect(ask(() => 0)).rejects.toMatchObject({ code: "model_unavailable" });
    expect(timeouts).toEqual([]);
    expect(turns).toEqual({ taken: 1, ended: 1 });
  });

  it("is given up in the middle of a wait when its call is stopped", async () => {
    const stop = new AbortController();
    const { ask, turns } = gatewayTo([fault("busy", { retryAfterMs: 60_000 })]);
    const asking = ask(undefined, stop.signal);
    setTimeout(() => stop.abort(), 20);
    await expect(asking).rejects.toMatchObject({ code: "cancelled" });
    expect(turns).toEqual({ taken: 1, ended: 1 });
  });

  it("takes no turn while the server is known to be dead", async () => {
    const { ask, turns } = gatewayTo([REPLY], 1_500);
    await expect(ask()).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("in 2 s"),
    });
    expect(turns).toEqual({ taken: 0, ended: 0 });
  });

  it("to a tier without a server says what to set", async () => {
    const { gateway } = gatewayTo([REPLY]);
    const signal = new AbortController().signal;
    await expect(gateway.chat({ ...QUESTION, tier: "large", signal })).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/OPENAI_BASE_URL and MODEL_LARGE, or MODEL_LARGE_BASE_URL/),
    });
    await expect(gateway.image({ prompt: "a knight", signal })).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("MODEL_IMAGE_BASE_URL"),
    });
  });
});
