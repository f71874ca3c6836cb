import { avatarParts } from "./dicebear.ts";
import type { Figure } from "./figure.ts";
import type { Random } from "./random.ts";
import { group } from "./svg.ts";
import type { Wish } from "./wish.ts";

const PIXEL_SCALE = 46;

/** A person in large pixels. */
export function pixelPerson(wish: Wish, random: Random): Figure {
  const inner = avatarParts("pixel-art", {
    seed: String(random.next()),
    beardProbability: wish.says("beard", "bearded", "wizard", "viking", "dwarf") ? 100 : 0,
    glassesProbability: wish.says("glasses", "nerd", "professor") ? 100 : 0,
    hatProbability: wish.says("hat", "cap", "pirate", "wizard", "cowboy") ? 100 : 0,
    ...colourOption("hairColor", wish.colourOf("hair", "haired", "beard")),
    ...colourOption("clothingColor", wish.colourOf("shirt", "dress", "robe", "coat", "hoodie")),
  });
  const drawn = `<g shape-rendering="crispEdges">${inner}</g>`;
  return {
    back: "",
    body: group(`translate(144 288) scale(${PIXEL_SCALE})`, drawn),
    outfit: "",
    front: "",
    hand: null,
  };
}

const colourOption = (name: string, colour: string | undefined): Record<string, string> =>
  colour === undefined ? {} : { [name]: colour };
