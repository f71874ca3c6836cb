import {
  pointedHat,
  pirateHat,
  chefHat,
  cowboyHat,
  softCap,
  topHat,
  mortarboard,
  peakedCap,
  baseballCap,
} from "./headgear/hats.ts";
import type { Headgear } from "./headgear/headgear.ts";
import {
  crown,
  hornedHelmet,
  knightHelm,
  hardHat,
  halo,
  horns,
  headphones,
  bubbleHelmet,
} from "./headgear/helmets.ts";
import type { Random } from "./random.ts";
import type { Wish } from "./wish.ts";

type Draw = (colour: string | undefined, random: Random) => Headgear;

/** The first row of which the prompt says a word. Roles wear what they are known by. */
const TABLE: readonly (readonly [string, Draw])[] = [
  ["pirate|buccaneer|corsair", pirateHat],
  ["wizard|witch|sorcerer|sorceress|mage|warlock|wizard hat|pointed hat", pointedHat],
  ["astronaut|cosmonaut|space suit|spacesuit|diver", bubbleHelmet],
  ["king|queen|prince|princess|emperor|empress|crown|royal|monarch", crown],
  ["chef|cook|baker|pastry", chefHat],
  ["viking|horned helmet", hornedHelmet],
  ["knight|paladin|crusader|soldier|guard|helmet", knightHelm],
  ["cowboy|cowgirl|sheriff|rancher|western|cowboy hat", cowboyHat],
  ["santa|christmas", (colour) => softCap(colour ?? "#d83a3a")],
  ["elf|gnome", (colour) => softCap(colour ?? "#3f8f5b")],
  ["builder|construction|engineer|miner|firefighter|hard hat|worker", hardHat],
  ["top hat|magician|gentleman|steampunk|victorian", topHat],
  ["graduate|scholar|student|graduation", mortarboard],
  ["captain|sailor|admiral|navy|police|police officer|pilot", peakedCap],
  ["angel|saint|halo", halo],
  ["demon|devil|faun|satyr", horns],
  ["headphones|dj|gamer|streamer|podcaster|producer|musician", headphones],
  ["cap|baseball|skater|rapper|trucker", baseballCap],
];

/** What the prompt puts on a head; undefined for a bare one. */
export function headgearFor(wish: Wish, random: Random): Headgear | undefined {
  if (wish.says("without a hat", "no hat", "bareheaded")) return undefined;
  return wish.first(TABLE)?.(wish.colourOf("hat", "cap", "helmet", "crown", "robe", "robes"), random);
}
