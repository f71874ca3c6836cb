import { AppError, type HandlerContext } from "../../core/catalog/define.ts";
import type { ImageReply } from "../../core/models/models.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import { toPicture } from "./picture.ts";

/** A first drawing, and one more where that is no picture. */
const TRIES = 2;

const frame = loadPrompt(import.meta.dirname);

/** The words that go to the image model: the frame, then the caller's own, which begin after `Character: `. */
const promptFor = (description: string): string => `${frame.text} ${description}`;

/**
 * Has a character drawn, and gives it as a PNG of 1024 × 1024 with the name of the model. What is no picture is asked
 * for once more. Throws `AppError` `model_output_invalid` when that one is none either.
 */
export async function draw(
  description: string,
  { models, signal, leftMs, progress }: HandlerContext,
): Promise<{ readonly png: Uint8Array; readonly model: string }> {
  for (let attempt = 1; ; attempt++) {
    progress({ stage: "drawing", attempt });
    const reply = await replyOf(models.image({ prompt: promptFor(description), signal, leftMs }));
    progress({ stage: "finishing", attempt });
    const picture = "unusable" in reply ? reply : { ...(await toPicture(reply.bytes)), model: reply.model };
    if ("png" in picture) return picture;
    if (attempt === TRIES) {
      throw new AppError(
        "model_output_invalid",
        `The image model twice gave no picture: the last one ${picture.unusable}.`,
      );
    }
  }
}

/** The reply, or that there was none: an answer without an image is a picture that failed, and not a dead server. */
async function replyOf(asked: Promise<ImageReply>): Promise<ImageReply | { readonly unusable: string }> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code === "upstream_failed") return { unusable: "was not there" };
    throw error;
  }
}
