import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer } from "./answer.ts";
import { type Body, isObject, optionalWhole, requiredText, sendJson } from "./exchange.ts";
import { tierOfModel } from "./names.ts";
import { ProtocolError } from "./protocol-error.ts";
import { readQuestion } from "./question.ts";

/** Near what tokenisers of large models make of English. */
const CHARS_PER_TOKEN = 4;
const MAX_COMPLETION_TOKENS = 1_000_000;
const CHUNK_CHARS = 80;

type Completion = {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly finish: "stop" | "length";
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
};

/** Answers `POST /v1/chat/completions`, as a whole or as a stream. Throws `ProtocolError`. */
export async function chat(body: Body, roots: readonly string[], response: ServerResponse): Promise<void> {
  const completion = await complete(body, roots);
  if (body["stream"] === true) {
    const options = body["stream_options"];
    sendStream(response, completion, isObject(options) && options["include_usage"] === true);
  } else sendWhole(response, completion);
}

async function complete(body: Body, roots: readonly string[]): Promise<Completion> {
  const model = requiredText(body, "model");
  const tier = tierOfModel(model);
  if (tier === undefined) throw unknownModel(model);
  if (tier === "image")
    throw new ProtocolError(400, `${model} draws and does not write.`, { param: "model" });
  const limit =
    optionalWhole(body, "max_completion_tokens", MAX_COMPLETION_TOKENS) ??
    optionalWhole(body, "max_tokens", MAX_COMPLETION_TOKENS) ??
    MAX_COMPLETION_TOKENS;
  const question = readQuestion(body, tier);
  const whole = await answer(question, roots);
  const text = tokensOf(whole) > limit ? whole.slice(0, limit * CHARS_PER_TOKEN).toWellFormed() : whole;
  const promptTokens = question.messages.reduce((sum, message) => sum + tokensOf(message.text), 0);
  const completionTokens = tokensOf(text);
  return {
    id: `chatcmpl-${createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 24)}`,
    model,
    text,
    finish: text.length < whole.length ? "length" : "stop",
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

export const unknownModel = (model: string): ProtocolError =>
  new ProtocolError(404, `There is no model ${model} here.`, { code: "model_not_found", param: "model" });

/** About as many tokens as a text has. */
export const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

const seconds = (): number => Math.floor(Date.now() / 1_000);

function sendWhole(response: ServerResponse, { id, model, text, finish, usage }: Completion): void {
  sendJson(response, 200, {
    id,
    object: "chat.completion",
    created: seconds(),
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage,
  });
}

function sendStream(response: ServerResponse, completion: Completion, withUsage: boolean): void {
  const { id, model, text, finish, usage } = completion;
  const created = seconds();
  const send = (rest: Readonly<Record<string, unknown>>): void => {
    response.write(
      `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model, ...rest })}\n\n`,
    );
  };
  const sendDelta = (delta: Readonly<Record<string, string>>, reason: string | null = null): void =>
    send({ choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] });
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  sendDelta({ role: "assistant", content: "" });
  for (const piece of text.match(new RegExp(`[^]{1,${CHUNK_CHARS}}(?<![\\ud800-\\udbff])`, "g")) ?? []) {
    sendDelta({ content: piece });
  }
  sendDelta({}, finish);
  if (withUsage) send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}
