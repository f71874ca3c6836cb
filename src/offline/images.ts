import type { ServerResponse } from "node:http";
import { unknownModel } from "./chat.ts";
import { type Body, optionalWhole, requiredText, sendJson } from "./exchange.ts";
import { findDrawing } from "./methods.ts";
import { tierOfModel } from "./names.ts";
import { ProtocolError } from "./protocol-error.ts";

const MAX_PROMPT_CHARS = 32_000;
const MIN_SIDE = 64;
const MAX_SIDE = 2_048;
const DEFAULT_SIDE = 1_024;

/** Answers `POST /v1/images/generations` with one PNG in base64. Throws `ProtocolError`. */
export async function images(body: Body, roots: readonly string[], response: ServerResponse): Promise<void> {
  const model = requiredText(body, "model");
  if (tierOfModel(model) !== "image") throw unknownModel(model);
  const prompt = requiredText(body, "prompt");
  if (prompt.length > MAX_PROMPT_CHARS) {
    throw new ProtocolError(400, `prompt is longer than ${MAX_PROMPT_CHARS} characters.`, {
      param: "prompt",
    });
  }
  if (
    optionalWhole(body, "n", Number.MAX_SAFE_INTEGER) !== 1 &&
    body["n"] !== undefined &&
    body["n"] !== null
  ) {
    throw new ProtocolError(400, "n must be 1.", { param: "n" });
  }
  if (body["response_format"] === "url") {
    throw new ProtocolError(400, "response_format must be b64_json.", { param: "response_format" });
  }
  const { width, height } = readSize(body["size"]);
  const draw = await findDrawing(roots);
  if (draw === undefined) throw new ProtocolError(404, "No feature draws pictures here.");
  const png = await draw(prompt, { width, height });
  sendJson(response, 200, {
    created: Math.floor(Date.now() / 1_000),
    output_format: "png",
    size: `${width}x${height}`,
    data: [{ b64_json: Buffer.from(png).toString("base64") }],
  });
}

function readSize(size: unknown): { width: number; height: number } {
  if (size === undefined || size === null || size === "auto")
    return { width: DEFAULT_SIDE, height: DEFAULT_SIDE };
  const [, width, height] = (typeof size === "string" ? /^(\d{1,5})x(\d{1,5})$/.exec(size) : null) ?? [];
  const sides = { width: Number(width), height: Number(height) };
  if (Object.values(sides).every((side) => side >= MIN_SIDE && side <= MAX_SIDE)) return sides;
  throw new ProtocolError(400, `size must be <width>x<height>, each from ${MIN_SIDE} to ${MAX_SIDE}.`, {
    param: "size",
  });
}
