import sharp from "sharp";
import { creature, isCreature } from "./creature.ts";
import { pixelPerson } from "./pixel-person.ts";
import { isPlant, plant } from "./plant.ts";
import { robot } from "./robot.ts";
import type { Figure } from "./figure.ts";
import { human, isPerson } from "./human.ts";
import { weather } from "./light.ts";
import { heldProps } from "./props.ts";
import { type Random, randomFrom } from "./random.ts";
import { scene } from "./scenes.ts";
import { SIDE } from "./svg.ts";
import { readWish, type Wish } from "./wish.ts";

const ROBOT_WORDS = ["robot", "android", "droid", "bot", "mech", "automaton", "machine", "chatbot", "drone"];
const PIXEL_WORDS = ["pixel", "pixel art", "8 bit", "8bit", "16 bit", "retro game"];
/** Fast, and hardly larger than the best. */
const PNG = { compressionLevel: 6, palette: false } as const;

/** Draws the character of a prompt as a PNG: the same for the same prompt, whatever the process. */
export async function draw(
  prompt: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  return await sharp(Buffer.from(pictureOf(prompt)))
    .resize(width, height, { fit: "cover" })
    .png(PNG)
    .toBuffer();
}

/** The drawing of a prompt as SVG. No word of the prompt stands in it. */
export function pictureOf(prompt: string): string {
  const wish = readWish(prompt);
  const random = randomFrom(prompt.normalize("NFKC").trim().toLowerCase());
  const figure = figureOf(prompt, wish, random);
  const props = figure.hand === null ? "" : heldProps(wish, figure.hand);
  const layers = [
    scene(wish, random),
    figure.back,
    figure.body,
    figure.outfit,
    figure.front,
    props,
    weather(wish, random),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}" fill="none">${layers.join("")}</svg>`;
}

/** What follows one of these words is beside the character: "a witch with a black cat" is a witch. */
const BESIDE =
  /\b(?:with|and|holding|riding|carrying|wearing|beside|near|next to|behind|fighting|petting|reading|in|on|at|who|that)\b/i;

function figureOf(prompt: string, wish: Wish, random: Random): Figure {
  const head = readWish(prompt.split(BESIDE)[0] ?? "");
  const drawFigure = drawerOf(head) ?? drawerOf(wish) ?? human;
  return drawFigure(wish, random);
}

function drawerOf(wish: Wish): ((wish: Wish, random: Random) => Figure) | undefined {
  if (wish.says(...ROBOT_WORDS)) return robot;
  if (wish.says(...PIXEL_WORDS)) return pixelPerson;
  if (isPlant(wish)) return plant;
  if (isCreature(wish)) return creature;
  return isPerson(wish) ? human : undefined;
}
