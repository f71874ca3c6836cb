import { describe, expect, it } from "vitest";
import { draw } from "../../../src/features/character-forge/draw.ts";
import { AppError, type HandlerContext } from "../../../src/core/catalog/define.ts";
import type { ImageRequest } from "../../../src/core/models/models.ts";
import { handlerContext } from "../../support/handler-context.ts";
import { figure, plain } from "./images.ts";

const GOOD = await figure(256, 256).png().toBuffer();
const BLANK = await plain(256).png().toBuffer();
const EMPTY = new Uint8Array();

/** A context whose image tier gives these replies, one after another, and what it was asked. */
function tier(...replies: (Uint8Array | Error)[]): {
  readonly context: HandlerContext;
  readonly asked: ImageRequest[];
  readonly told: unknown[];
} {
  const asked: ImageRequest[] = [];
  const told: unknown[] = [];
  const image = async (request: ImageRequest): Promise<{ bytes: Uint8Array; model: string }> => {
    const reply = replies[asked.length];
    asked.push(request);
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error("asked too often");
    return { bytes: reply, model: `model ${asked.length}` };
  };
  const { models } = handlerContext();
  const progress = (data: unknown): void => void told.push(data);
  return { context: handlerContext({ models: { ...models, image }, progress }), asked, told };
}

describe("draw", () => {
  it("gives the picture and the model that drew it, and tells how far it is", async () => {
    const { context, asked, told } = tier(GOOD);
    expect(await draw("a knight", context)).toMatchObject({ model: "model 1" });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal).toBe(context.signal);
    expect(told).toEqual([
      { stage: "drawing", attempt: 1 },
      { stage: "finishing", attempt: 1 },
    ]);
  });

  it("sets the caller's words behind a frame of its own, as they are", async () => {
    const words = 'a knight.\n\nCharacter: {{prompt}} $& "quoted" — ünïcode';
    const { context, asked } = tier(GOOD);
    await draw(words, context);
    const [, frame] = /^(.+?)\n\nCharacter: /s.exec(asked[0]?.prompt ?? "") ?? [];
    expect(asked[0]?.prompt).toBe(`${frame}\n\nCharacter: ${words}`);
    expect(frame?.length).toBeLessThan(300);
  });

  it.each([
    ["empty", EMPTY],
    ["blank", BLANK],
    ["broken", GOOD.subarray(0, 900)],
    ["missing", new AppError("upstream_failed", "no image in the answer")],
  ])("asks once more for a picture that is %s", async (_what, bad) => {
    const { context, asked, told } = tier(bad, GOOD);
    expect(await draw("a knight", context)).toMatchObject({ model: "model 2" });
    expect(asked).toHaveLength(2);
    expect(told).toContainEqual({ stage: "drawing", attempt: 2 });
  });

  it("gives up after the second, and says what was wrong with it", async () => {
    const { context, asked } = tier(EMPTY, BLANK, GOOD);
    const error: unknown = await draw("a knight", context).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "model_output_invalid",
      message: "The image model twice gave no picture: the last one was a single colour.",
    });
    expect(asked).toHaveLength(2);
  });

  it.each(["model_unavailable", "cancelled", "deadline_exceeded"] as const)(
    "does not ask again where the model is %s",
    async (code) => {
      const { context, asked } = tier(new AppError(code, "no"), GOOD);
      await expect(draw("a knight", context)).rejects.toMatchObject({ code });
      expect(asked).toHaveLength(1);
    },
  );
});
