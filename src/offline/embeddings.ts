import type { ServerResponse } from "node:http";
import { tokensOf, unknownModel } from "./chat.ts";
import { type Body, optionalWhole, requiredText, sendJson } from "./exchange.ts";
import { tierOfModel } from "./names.ts";
import { ProtocolError } from "./protocol-error.ts";
import { embed } from "./text/embed.ts";

const MAX_TEXTS = 2_048;
const DEFAULT_DIMENSIONS = 384;
const MAX_DIMENSIONS = 4_096;

/** Answers `POST /v1/embeddings`. Throws `ProtocolError`. */
export function embeddings(body: Body, response: ServerResponse): void {
  const model = requiredText(body, "model");
  const tier = tierOfModel(model);
  if (tier === undefined || tier === "image") throw unknownModel(model);
  const dimensions = optionalWhole(body, "dimensions", MAX_DIMENSIONS) ?? DEFAULT_DIMENSIONS;
  const format = body["encoding_format"] ?? "float";
  if (format !== "float" && format !== "base64") {
    throw new ProtocolError(400, "encoding_format must be float or base64.", { param: "encoding_format" });
  }
  const texts = readTexts(body["input"]);
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  sendJson(response, 200, {
    object: "list",
    data: texts.map((text, index) => {
      const vector = embed(text, dimensions);
      const embedding = format === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector];
      return { object: "embedding", index, embedding };
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

function readTexts(input: unknown): string[] {
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  const isReadable = texts.length > 0 && texts.length <= MAX_TEXTS;
  if (isReadable && texts.every((text) => typeof text === "string" && text !== "")) return texts as string[];
  throw new ProtocolError(400, `input must be a text, or a list of 1 to ${MAX_TEXTS} texts.`, {
    param: "input",
  });
}
