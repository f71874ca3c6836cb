import { avatarParts } from "./dicebear.ts";
import type { Figure } from "./figure.ts";
import type { Random } from "./random.ts";
import { CREATURE_MOODS } from "./creature.ts";
import { group } from "./svg.ts";
import type { Wish } from "./wish.ts";

const PLANTS = [
  ["cactus", "cactus"],
  ["flower|rose|daisy|sunflower", "flower"],
  ["tulip", "tulip"],
  ["palm|tree|treant|ent", "palm"],
  ["succulent|aloe", "succulent"],
  ["bush|shrub|hedge", "bush"],
  ["plant|sprout|seedling|herb|potted", "sprout"],
] as const;

const PLANT_MOODS = CREATURE_MOODS.slice(0, 5);

/** Whether the prompt is about a plant as a character. */
export const isPlant = (wish: Wish): boolean =>
  wish.says("cactus", "plant", "sprout", "seedling", "succulent", "treant", "potted", "houseplant");

/** A plant in a pot with a face. */
export function plant(wish: Wish, random: Random): Figure {
  const inner = avatarParts("sprouts", {
    seed: String(random.next()),
    plantVariant: wish.first(PLANTS) ?? "sprout",
    eyesVariant: wish.first(PLANT_MOODS) ?? random.pick(["round", "dots", "happy"]),
    mouthVariant: wish.says("angry", "sad", "grumpy") ? "frown" : random.pick(["smile", "grin", "catMouth"]),
    potColor: wish.colourOf("pot", "potted") ?? random.pick(["#fda4af", "#fdba74", "#7dd3fc", "#c4b5fd"]),
  });
  return { back: "", body: group("translate(112 122) scale(8)", inner), outfit: "", front: "", hand: null };
}
