import { defineHandler } from "../../core/catalog/define.ts";
import { draw } from "./draw.ts";
import characterForge from "./index.ts";
import { SIDE_PX, thumbnailOf } from "./picture.ts";

export default defineHandler(characterForge, async ({ prompt }, context) => {
  const { png, model } = await draw(prompt, context);
  const thumbnail = await thumbnailOf(png);
  context.signal.throwIfAborted();
  const [image, small] = await Promise.all([
    context.artifacts.put(png, { mime: "image/png", filename: "character.png" }),
    context.artifacts.put(thumbnail, { mime: "image/webp", filename: "character-thumbnail.webp" }),
  ]);
  return {
    image_url: image.url,
    thumbnail_url: small.url,
    width: SIDE_PX,
    height: SIDE_PX,
    format: "png" as const,
    bytes: image.bytes,
    sha256: image.sha256,
    model,
  };
});
