import { avatarParts } from "./dicebear.ts";
import type { Figure } from "./figure.ts";
import type { Random } from "./random.ts";
import { group, INK } from "./svg.ts";
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
