import { avatarParts } from "./dicebear.ts";
import type { Figure } from "./figure.ts";
import type { Random } from "./random.ts";
import { circle, flat, group, line, shape, INK } from "./svg.ts";
import type { Wish } from "./wish.ts";

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
export const CREATURE_MOODS = [
  ["sleepy|tired", "sleepy"],
  ["angry|fierce|evil|furious", "angry"],
  ["happy|cheerful|jolly|laughing", "happy"],
  ["winking|cheeky|playful", "wink"],
  ["surprised|scared|amazed", "wide"],
  ["cyclops|one eyed", "mono"],
] as const;
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
