import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

/** The longest description that reaches the model, in code points. */
const MAX_PROMPT_CHARS = 1_500;

export default defineCapability({
  slug: "character-forge",
  version: "1.0.0",
  name: "Character Forge",
  category: "media",
  summary:
    "Draws a character from a description: a 1024 × 1024 PNG with a thumbnail, at addresses that stay. A picture that is empty or broken is never delivered.",
  offers: [{ surface: "marketplace", price: mesh(25) }],
  pool: "image",
  model: "image",
  // A hosted model takes up to a minute for a picture, and may be asked for a second one.
  timeoutMs: 240_000,
  profile: { deterministic: false, typicalMs: 15_000, maximumMs: 240_000, sideEffects: ["artifact"] },
  input: z.object({
    prompt: z
      .string()
      .min(1)
      .describe("What the character looks like; longer texts are cut.")
      .register(field, {
        aliases: ["text", "describe", "description", "subject", "scene", "character"],
        truncateAt: MAX_PROMPT_CHARS,
      }),
  }),
  output: z.object({
    image_url: z.string().describe("Permanent address of the picture."),
    thumbnail_url: z.string().describe("Permanent address of a WebP of 256 × 256."),
    width: z.literal(1024),
    height: z.literal(1024),
    format: z.literal("png"),
    bytes: z.int().describe("Size of the picture."),
    sha256: z.string().describe("Hash of the picture's bytes, lower-case hexadecimal."),
    model: z.string().describe("The model that drew it."),
  }),
});
