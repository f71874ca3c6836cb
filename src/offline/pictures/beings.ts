import { avatarParts } from "./dicebear.ts";
import type { Figure } from "./figure.ts";
import type { Random } from "./random.ts";
import { circle, flat, group, INK, line, shape } from "./svg.ts";
import type { Wish } from "./wish.ts";

const ROBOT_EYES = [
  ["cyclops|one eyed", "cyclops"],
  ["sleepy|tired", "sleepy"],
  ["cheerful|happy|friendly|jolly|cute", "happy"],
  ["angry|evil|security|guard|war", "visor"],
  ["medical|nurse|doctor", "plus"],
] as const;
const ROBOT_MOUTHS = [
  ["cheerful|happy|friendly|jolly|cute", "smile"],
  ["angry|evil|broken", "zigzag"],
  ["singer|speaker|music", "speaker"],
] as const;
const METALS = [
  "#aeb8c2",
  "#74c0fc",
  "#63e6be",
  "#ffd43b",
  "#ff9d9d",
  "#b6a6f5",
  "#69db7c",
  "#e9ecef",
] as const;
const BOT_LEFT = 212;
const BOT_TOP = 210;
const BOT_SCALE = 6.3;

const SHADOW = `<ellipse cx="512" cy="1000" rx="330" ry="26" fill="${INK}" fill-opacity=".22"/>`;

/** A robot that stands in the picture from head to foot. */
export function robot(wish: Wish, random: Random): Figure {
  const body =
    wish.colourOf("robot", "bot", "android", "droid", "cyborg", "body", "mech") ?? random.pick(METALS);
  const inner = avatarParts("voxel-bot", {
    seed: String(random.next()),
    eyesVariant: wish.first(ROBOT_EYES) ?? random.pick(["round", "square", "visor", "happy"]),
    mouthVariant: wish.first(ROBOT_MOUTHS) ?? random.pick(["grill", "line", "smile"]),
    topProbability: 100,
    bodyColor: body,
  });
  return {
    back: "",
    body: SHADOW + group(`translate(${BOT_LEFT} ${BOT_TOP}) scale(${BOT_SCALE})`, inner),
    outfit: "",
    front: "",
    hand: {
      skin: "#4c5563",
      sleeve: body,
      thickness: 22,
      shoulders: [
        [700, 770],
        [330, 790],
      ],
    },
  };
}

/** What marks an animal; its fur is of this colour where none is named. */
type Marks = {
  readonly top: string;
  readonly mouth: string;
  readonly colour: string | undefined;
  readonly pattern: string;
};

const ANIMALS: readonly (readonly [string, Marks])[] = [
  [
    "cat|kitten|tiger|lion|panther|lynx",
    { top: "earsPointy", mouth: "catMouth", colour: "#f2a65a", pattern: "stripes" },
  ],
  ["fox", { top: "earsPointy", mouth: "smile", colour: "#e8743b", pattern: "belly" }],
  ["wolf|husky|coyote", { top: "earsPointy", mouth: "tooth", colour: "#8d97a8", pattern: "belly" }],
  ["dog|puppy|hound|beagle", { top: "earsDroop", mouth: "tongue", colour: "#c58b57", pattern: "spot" }],
  ["bear|panda|koala|teddy", { top: "earsRound", mouth: "smile", colour: "#8a5a3c", pattern: "belly" }],
  [
    "mouse|rat|hamster|monkey|otter|raccoon",
    { top: "earsRound", mouth: "tooth", colour: "#b7a99a", pattern: "belly" },
  ],
  ["rabbit|bunny|hare|donkey", { top: "earsPointy", mouth: "tooth", colour: "#e9dccf", pattern: "belly" }],
  [
    "cow|bull|goat|ox|minotaur|deer|moose",
    { top: "horns", mouth: "ooh", colour: "#b98d6a", pattern: "spot" },
  ],
  [
    "dragon|dinosaur|lizard|crocodile|godzilla",
    { top: "spikes", mouth: "teeth", colour: "#5fae5f", pattern: "belly" },
  ],
  ["unicorn|narwhal|rhino", { top: "spike", mouth: "smile", colour: "#e7c8f0", pattern: "speckles" }],
  [
    "fish|shark|whale|dolphin|octopus|squid|axolotl",
    { top: "fin", mouth: "teeth", colour: "#6fb3d8", pattern: "belly" },
  ],
  ["frog|toad|slug|snail", { top: "antennae", mouth: "smile", colour: "#7cc576", pattern: "belly" }],
  [
    "bee|butterfly|ant|bug|insect|ladybug",
    { top: "antennae", mouth: "smile", colour: "#f7cf46", pattern: "bars" },
  ],
  [
    "owl|bird|penguin|duck|parrot|chicken|eagle",
    { top: "nub", mouth: "open", colour: "#7f93b8", pattern: "belly" },
  ],
  ["alien|martian", { top: "antennae", mouth: "ooh", colour: "#9bd78d", pattern: "dots" }],
  [
    "monster|beast|yeti|troll|creature|gremlin|demon pet|mascot|blob|slime",
    { top: "horns", mouth: "tooth", colour: undefined, pattern: "dots" },
  ],
];
const CREATURE_MOODS = [
  ["sleepy|tired", "sleepy"],
  ["angry|fierce|evil|furious", "angry"],
  ["happy|cheerful|jolly|laughing", "happy"],
  ["winking|cheeky|playful", "wink"],
  ["surprised|scared|amazed", "wide"],
  ["cyclops|one eyed", "mono"],
] as const;
const PLANT_MOODS = CREATURE_MOODS.slice(0, 5);
const FURS = ["#7dd3fc", "#c4b5fd", "#f0abfc", "#fda4af", "#fdba74", "#6ee7b9", "#bef264"] as const;
const ALL_ANIMALS = ANIMALS.flatMap(([terms]) => terms.split("|"));
const CREATURE_SCALE = 7.4;
const CREATURE_LEFT = 142;
const CREATURE_TOP = 284;

/** Whether the prompt is about an animal or a monster. */
export const isCreature = (wish: Wish): boolean => wish.says(...ALL_ANIMALS);

/** An animal or a monster. */
export function creature(wish: Wish, random: Random): Figure {
  const kind = wish.first(ANIMALS);
  const fur = wish.colourOf(...ALL_ANIMALS, "fur") ?? kind?.colour ?? random.pick(FURS);
  const inner = avatarParts("critters", {
    seed: String(random.next()),
    topVariant: kind?.top ?? "horns",
    topProbability: 100,
    bodyVariant: random.pick(["dome", "round", "blob", "bell", "squat"]),
    mouthVariant: kind?.mouth ?? "smile",
    eyesVariant: wish.first(CREATURE_MOODS) ?? random.pick(["round", "bigPupils", "dots", "happy"]),
    patternVariant: kind?.pattern ?? "belly",
    patternProbability: 100,
    cheeksProbability: 60,
    bodyColor: fur,
    accentColor: random.pick(["#f6e3c5", "#fbe9ea", "#e7f0ff", "#fff3bf"]),
  });
  return {
    back: "",
    body: group(`translate(${CREATURE_LEFT} ${CREATURE_TOP}) scale(${CREATURE_SCALE})`, inner),
    outfit: "",
    front: creatureHat(wish),
    hand: {
      skin: fur,
      sleeve: fur,
      thickness: 40,
      shoulders: [
        [700, 840],
        [324, 840],
      ],
    },
  };
}

/** A helmet of glass, a crown or a party hat, for those who are said to wear one. */
function creatureHat(wish: Wish): string {
  if (wish.says("astronaut", "cosmonaut", "spacesuit", "space suit")) {
    return (
      circle(512, 560, 330, "#ffffff", `fill-opacity=".1" stroke="${INK}" stroke-width="14"`) +
      circle(512, 560, 314, "none", `stroke="#f4f6fb" stroke-width="16"`) +
      line("M270 440C310 350 380 306 450 290", "#ffffff", 20, `stroke-opacity=".85"`)
    );
  }
  if (wish.says("crown", "king", "queen", "royal", "prince", "princess")) {
    return shape(
      "M404 372L392 250L456 306L512 220L568 306L632 250L620 372C560 396 464 396 404 372Z",
      "#f2c744",
    );
  }
  if (wish.says("hat", "party", "birthday", "wizard")) {
    return (
      shape("M404 390L512 150L620 390C560 416 464 416 404 390Z", wish.colourOf("hat") ?? "#8450c4") +
      flat("M446 300L578 300L592 334H432Z", "#f7d774")
    );
  }
  return "";
}

const PLANTS = [
  ["cactus", "cactus"],
  ["flower|rose|daisy|sunflower", "flower"],
  ["tulip", "tulip"],
  ["palm|tree|treant|ent", "palm"],
  ["succulent|aloe", "succulent"],
  ["bush|shrub|hedge", "bush"],
  ["plant|sprout|seedling|herb|potted", "sprout"],
] as const;

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
