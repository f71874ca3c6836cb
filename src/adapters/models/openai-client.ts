import OpenAI from "openai";
import { z } from "zod";
import { cutCodePoints } from "../../core/catalog/input.ts";
import { type ModelClient, ModelFault } from "../../core/models/client.ts";
import type { ChatReply, ChatRequest, ImageReply, ImageRequest, Tokens } from "../../core/models/models.ts";
import { type AnswerMode, AnswerModes, formatOf } from "./answer-modes.ts";
import { faultOf } from "./faults.ts";
import { decodeImage, fetchImage } from "./images.ts";
import { limitedFetch } from "./limited-fetch.ts";

/** The body of an answer in words: far more than a model's longest. */
const MAX_ANSWER_BYTES = 1_048_576;
/** The body of an answer with an image in base64. */
const MAX_IMAGE_ANSWER_BYTES = 48 * 1_048_576;
/** The client wants one; it is not sent. */
const NO_KEY = "none";
const IMAGE_SIZE = "1024x1024";
/** Of one answer; the sum of many still fits the column. */
const MAX_TOKENS = 20_000_000;
/** The name that a server gives its model reaches callers. */
const MAX_NAME_CHARS = 200;

const tokenCount = z.number().int().min(0).max(MAX_TOKENS).catch(0);
const usage = z
  .object({ prompt_tokens: tokenCount, completion_tokens: tokenCount })
  .catch({ prompt_tokens: 0, completion_tokens: 0 });
const chatAnswer = z.object({
  model: z.string().optional().catch(undefined),
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
    }),
  ),
  usage,
});
const imageAnswer = z.object({
  data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })),
});

export type OpenAiClientOptions = {
  /** Ends before `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
};

/** One model of a server that speaks OpenAI's protocol. */
export class OpenAiClient implements ModelClient {
  readonly #options: OpenAiClientOptions;
  readonly #words: OpenAI;
  readonly #images: OpenAI;
  readonly #modes = new AnswerModes();

  constructor(options: OpenAiClientOptions) {
    this.#options = options;
    this.#words = connect(options, MAX_ANSWER_BYTES);
    this.#images = connect(options, MAX_IMAGE_ANSWER_BYTES);
  }

  async chat(request: Omit<ChatRequest, "tier">, timeoutMs: number): Promise<ChatReply> {
    const endsAt = performance.now() + timeoutMs;
    const modes = this.#modes.of(request.task);
    for (const [index, mode] of modes.entries()) {
      try {
        const reply = await this.#chatIn(mode, request, endsAt - performance.now());
        this.#modes.took(request.task, mode);
        return reply;
      } catch (error) {
        const fault = faultOf(error, request.signal);
        // Servers refuse a mode that they do not know with 400 or 422, in many words: the next mode is the test.
        if (fault.kind !== "refused" || index === modes.length - 1) throw fault;
      }
    }
    throw new ModelFault("refused");
  }

  async image({ prompt, signal }: ImageRequest, timeoutMs: number): Promise<ImageReply> {
    const { model, baseUrl } = this.#options;
    const endsAt = performance.now() + timeoutMs;
    try {
      const answer = imageAnswer.safeParse(
        await this.#images.images.generate(
          { model, prompt, size: IMAGE_SIZE },
          { signal, timeout: Math.ceil(timeoutMs) },
        ),
      );
      const image = answer.data?.data[0];
      if (typeof image?.b64_json === "string") return { bytes: decodeImage(image.b64_json), model };
      if (typeof image?.url !== "string") throw new ModelFault("garbled");
      return {
        bytes: await fetchImage(image.url, baseUrl, signal, endsAt - performance.now()),
        model,
      };
    } catch (error) {
      throw faultOf(error, signal);
    }
  }

  async #chatIn(
    mode: AnswerMode,
    { task, messages, schema, signal }: Omit<ChatRequest, "tier">,
    timeoutMs: number,
  ): Promise<ChatReply> {
    if (timeoutMs <= 0) throw new ModelFault("slow");
    const { model } = this.#options;
    const answer = chatAnswer.safeParse(
      await this.#words.chat.completions.create(
        { model, messages: [...messages], ...formatOf(mode, task, schema) },
        { signal, timeout: Math.ceil(timeoutMs) },
      ),
    );
    if (!answer.success) throw new ModelFault("garbled");
    const { choices, usage } = answer.data;
    const tokens: Tokens = { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
    const name = answer.data.model === undefined || answer.data.model === "" ? model : answer.data.model;
    const choice = choices[0];
    return {
      text: choice?.message.content ?? "",
      model: cutCodePoints(name.replaceAll("\0", "").toWellFormed(), MAX_NAME_CHARS),
      tokens,
      ...faultOfChoice(choice),
    };
  }
}

/** Its own retries are off: ours know the call's deadline. What it would read from the environment is set. */
function connect({ baseUrl, apiKey }: OpenAiClientOptions, maxBytes: number): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: limitedFetch(maxBytes),
    ...(apiKey === null ? { defaultHeaders: { authorization: null } } : {}),
  });
}

type Choice = z.output<typeof chatAnswer>["choices"][number];

/** Why a reply is no whole answer, where it says so. */
function faultOfChoice(choice: Choice | undefined): Pick<ChatReply, "fault"> {
  if (choice === undefined) return { fault: "empty" };
  if (choice.finish_reason === "length") return { fault: "cut off" };
  if (choice.finish_reason === "content_filter" || (choice.message.refusal ?? "") !== "")
    return { fault: "refused" };
  return (choice.message.content ?? "") === "" ? { fault: "empty" } : {};
}
