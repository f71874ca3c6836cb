import type { Random } from "./random.ts";
import { circle, flat, line, rect, repeat, shape } from "./svg.ts";
import type { Wish } from "./wish.ts";

/** What a person wears. */
export type Outfit = {
  /** Of the cloth. */
  readonly colour: string;
  readonly sleeve: string;
  /** Drawn on the chest. */
  readonly details: string;
};

type Cut = { readonly colours: readonly [string, ...string[]]; readonly details: (colour: string) => string };

const plain = (): string => "";

const ROBE: Cut = {
  colours: ["#4b3aa8", "#2d4f9e", "#6b2f8f", "#20625f"],
  details: () =>
    line("M470 800L536 1040M640 786L548 1040", "#f7d774", 14) +
    repeat(3, (i) => circle(360 + i * 190, 900 + (i % 2) * 50, 9, "#f7d774")),
};
const ARMOUR: Cut = {
  colours: ["#a9b0bb"],
  details: () =>
    line("M540 812V1040M330 900C440 940 660 940 770 890", "#6d737f", 10) +
    repeat(4, (i) =>
      circle(
        340 + i * 138,
        862 + (i === 1 || i === 2 ? 22 : 0),
        10,
        "#e9edf3",
        `stroke="#14121a" stroke-width="6"`,
      ),
    ),
};
const APRON: Cut = {
  colours: ["#f4f2ee", "#3d4a63", "#8fa7df"],
  details: () =>
    shape("M400 872C480 892 610 890 690 864L720 1040H380Z", "#b5562f") +
    line("M400 872L446 786M690 864L648 780", "#b5562f", 20) +
    shape("M486 950H612V1040H486Z", "#9c4725"),
};
const COAT: Cut = {
  colours: ["#f7f7f4"],
  details: () =>
    flat("M474 806L544 930L636 790L600 1040H500Z", "#8fb7d8") +
    line("M474 800L540 960L640 784M540 960V1040", undefined, 10) +
    rect(640, 930, 84, 14, "#c8ccd2"),
};
const SUIT: Cut = {
  colours: ["#2f3550", "#3a3a44", "#27433f"],
  details: () =>
    shape("M470 806L546 980L640 784L590 838L546 850L500 836Z", "#fbfaf6") +
    shape("M528 852H570L584 884L560 1000L546 1024L530 1000L516 884Z", "#b23a48") +
    line("M470 806L540 1024M640 784L556 1024", undefined, 10),
};
const SPACESUIT: Cut = {
  colours: ["#eef0f4"],
  details: () =>
    shape("M430 900H664V1010H430Z", "#c3cad6") +
    circle(476, 954, 20, "#d83a3a") +
    circle(532, 954, 20, "#4faf5b") +
    rect(576, 934, 66, 40, "#3b4a70") +
    line("M340 850V1040M752 846V1040", "#d0702c", 16),
};
const SAILOR: Cut = {
  colours: ["#27345c", "#8f2f38"],
  details: () =>
    line("M446 806L540 940L654 786", "#e2b13c", 16) +
    repeat(2, (i) => circle(500, 970 + i * 50, 12, "#e2b13c") + circle(590, 962 + i * 50, 12, "#e2b13c")),
};
const HOODIE: Cut = {
  colours: ["#5b6ee1", "#3f8f5b", "#c2547a", "#4a4f5e"],
  details: () =>
    line("M486 842V950M606 834V930", "#f4f2ee", 9) + line("M400 1000C480 960 610 956 700 990", undefined, 9),
};
const STRIPES: Cut = {
  colours: ["#f4f2ee"],
  details: () =>
    repeat(3, (i) =>
      line(
        `M${300 - i * 12} ${880 + i * 60}C440 ${920 + i * 60} 660 ${916 + i * 60} ${788 + i * 10} ${866 + i * 60}`,
        "#35528f",
        22,
      ),
    ),
};
const SANTA: Cut = {
  colours: ["#d83a3a"],
  details: () =>
    line("M544 812V1040", "#fbfaf6", 46) +
    rect(192, 968, 620, 40, "#2a2833") +
    rect(500, 962, 92, 52, "#e2b13c"),
};
const CASUAL: Cut = {
  colours: ["#8fa7df", "#78c98a", "#f2b95f", "#d987c0", "#e0776b", "#7fc4c6", "#eadb6a"],
  details: plain,
};

const CUTS: readonly (readonly [string, Cut])[] = [
  ["santa|father christmas", SANTA],
  [
    "wizard|witch|mage|sorcerer|sorceress|warlock|monk|priest|druid|sage|robe|king|queen|princess|prince|emperor|empress",
    ROBE,
  ],
  ["knight|paladin|warrior|soldier|armor|armour|gladiator|viking|crusader|samurai", ARMOUR],
  [
    "chef|cook|baker|barista|bartender|waiter|waitress|butcher|blacksmith|carpenter|gardener|florist|apron",
    APRON,
  ],
  ["scientist|doctor|nurse|surgeon|professor|chemist|lab coat|pharmacist|alchemist", COAT],
  [
    "businessman|businesswoman|business|lawyer|banker|ceo|suit|spy|agent|butler|magician|gentleman|groom|detective",
    SUIT,
  ],
  ["astronaut|cosmonaut|space suit|spacesuit", SPACESUIT],
  ["captain|admiral|police|police officer|pilot|pirate", SAILOR],
  ["sailor|mime|gondolier", STRIPES],
  ["programmer|developer|hacker|gamer|streamer|student|skater|hoodie|dj|rapper|coder|engineer", HOODIE],
];

const GARMENTS = [
  "shirt",
  "dress",
  "robe",
  "robes",
  "coat",
  "jacket",
  "hoodie",
  "sweater",
  "suit",
  "cloak",
  "cape",
  "tunic",
  "uniform",
  "armor",
  "armour",
  "apron",
  "clothes",
  "clothing",
  "outfit",
  "kimono",
];

/** Whether the prompt names a trade that has clothes of its own. */
export const hasTrade = (wish: Wish): boolean => wish.first(CUTS) !== undefined;

/** What the prompt's trades and garments put on: its colour too, where it names one. */
export function outfitFor(wish: Wish, random: Random): Outfit {
  const cut = wish.first(CUTS) ?? CASUAL;
  const colour = wish.colourOf(...GARMENTS) ?? random.pick(cut.colours);
  return { colour, sleeve: colour, details: cut.details(colour) };
}
