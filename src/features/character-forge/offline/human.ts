import { avatarParts } from "./dicebear.ts";
import type { Figure } from "./figure.ts";
import { headgearFor } from "./headgear.ts";
import { hasTrade, outfitFor } from "./outfits.ts";
import type { Random } from "./random.ts";
import { flat, group, line, shape } from "./svg.ts";
import type { Wish } from "./wish.ts";

/** Where the bust stands: the style's own 704 units come to 640. */
const SCALE = 640 / 704;
const LEFT = 192;
const TOP = 168;

const SKINS = ["#ffdbb4", "#f2c29b", "#edb98a", "#d08b5b", "#ae5d29", "#8a5a3c", "#694d3d"] as const;
const SKIN_WORDS = [
  ["green skin|green skinned|orc|goblin|ogre|alien|martian", "#8fbf6a"],
  ["zombie|undead", "#a9bf9a"],
  ["vampire|ghost|pale", "#f1e7e4"],
  ["demon|devil", "#d9605a"],
  ["avatar blue|blue skin|genie", "#7fb2e5"],
  ["dark skin|black woman|black man|african|nigerian|kenyan|ethiopian", "#694d3d"],
  ["brown skin|indian|arab|mexican|latina|latino", "#ae5d29"],
  ["tan|tanned|mediterranean|asian|japanese|chinese|korean", "#edb98a"],
  ["fair skin|nordic|viking|irish|scottish", "#ffdbb4"],
] as const;

const MOODS = [
  ["furious|enraged|raging", "rage"],
  ["angry|mad|fierce|evil|villain", "veryAngry"],
  ["sad|crying|melancholy|gloomy|lonely|heartbroken", "solemn"],
  ["scared|afraid|terrified|frightened", "fear"],
  ["worried|nervous|anxious", "concerned"],
  ["surprised|amazed|shocked|astonished", "awe"],
  ["laughing|hilarious|joyful|ecstatic", "smileLOL"],
  ["cheerful|happy|jolly|merry|excited|friendly|smiling", "smileBig"],
  ["in love|loving|romantic", "lovingGrin1"],
  ["tired|sleepy|exhausted|weary", "tired"],
  ["calm|serene|peaceful|meditating|zen|relaxed", "calm"],
  ["suspicious|sly|cunning|sneaky|rogue|thief|spy|detective", "suspicious"],
  ["serious|stern|strict|stoic|grim", "serious"],
  ["determined|brave|heroic|hero|warrior", "driven"],
  ["confident|bold|proud|elegant", "smile"],
  ["cheeky|mischievous|playful|naughty", "cheeky"],
  ["cute|adorable|sweet|shy", "cute"],
  ["cyclops", "cyclops"],
  ["old|elderly|wrinkled|ancient", "old"],
] as const;

const STYLED_HAIR = [
  ["bald|shaved head", "noHair1"],
  ["afro", "afro"],
  ["mohawk|punk", "mohawk"],
  ["dreadlocks|dreads|rasta", "dreads1"],
  ["cornrows|braids|braided", "cornrows"],
  ["hijab|headscarf|veil", "hijab"],
  ["turban", "turban"],
  ["beanie|hipster", "hatBeanie"],
  ["fedora|detective", "hatHip"],
  ["bun", "bun"],
  ["curly|curls", "longCurly"],
  ["bangs|fringe", "bangs2"],
  ["pompadour|quiff|elvis", "pomp"],
] as const;
const LONG_HAIR = ["long", "longBangs", "mediumStraight", "medium3", "bangs2"] as const;
const SHORT_HAIR = ["short1", "short2", "short3", "short5", "pomp", "shaved2", "twists2"] as const;
/** Only these are drawn in the colour that is asked for; all others are of ink. */
const COLOURED_LONG = ["bangs", "bangs", "mediumBangs2"] as const;
const COLOURED_SHORT = ["grayShort", "short4"] as const;
/** Words that name hair by its colour alone. */
const HAIR_WORDS = [
  ["blonde|blond", "#eacb7c"],
  ["redhead|redheaded|ginger", "#d1602c"],
  ["brunette", "#724133"],
] as const;
/** What fits under a hat. */
const UNDER_HAT_LONG = ["long", "medium3", "mediumStraight"] as const;
const UNDER_HAT_SHORT = ["short1", "short2", "noHair1"] as const;
const HAIR_COLOURS = ["#4a312c", "#a55728", "#d6b370", "#b58143", "#724133", "#c93305"] as const;
/** What a prompt's `black` comes to: the ink of all other hair is that already. */
const INKY_HAIR = "#2a2730";
const OLD_HAIR = "#e8e4e1";

const BEARDS = [
  ["goatee", "goatee1"],
  ["handlebar|twirled", "moustache3"],
  ["moustache|mustache", "moustache9"],
  ["stubble", "chin"],
  ["beard|bearded", "full4"],
  ["wizard|viking|dwarf|santa|lumberjack|sage|hermit|captain", "full4"],
] as const;

const EYEWEAR = [
  ["eyepatch|eye patch|pirate", "eyepatch"],
  ["sunglasses|shades", "sunglasses"],
  ["glasses|spectacles|nerd|professor|scientist|librarian|teacher|programmer|developer", "glasses"],
] as const;

const FEMININE =
  "woman|girl|female|lady|queen|princess|witch|mother|grandmother|grandma|sister|heroine|actress|waitress|sorceress|empress|she|her|mermaid|goddess|nun|bride|businesswoman|ballerina".split(
    "|",
  );
const MASCULINE =
  "man|boy|male|king|prince|wizard|father|grandfather|grandpa|brother|gentleman|sir|he|his|him|monk|viking|santa|dwarf|lumberjack|groom|businessman".split(
    "|",
  );

/** Whether the prompt names a person, by a word for one or by a trade. */
export const isPerson = (wish: Wish): boolean =>
  wish.says(...FEMININE, ...MASCULINE, "person", "hero") || hasTrade(wish);

/** A person, as the prompt's words have it; nobody's age, hair or skin is meant where they say nothing. */
export function human(wish: Wish, random: Random): Figure {
  const skin = wish.first(SKIN_WORDS) ?? random.pick(SKINS);
  const outfit = outfitFor(wish, random);
  const hat = headgearFor(wish, random);
  const isOld = wish.says(
    "old",
    "elderly",
    "ancient",
    "grandmother",
    "grandfather",
    "grandma",
    "grandpa",
    "aged",
    "wizard",
    "sage",
  );
  const hairColour =
    wish.colourOf("hair", "haired", "beard", "bearded") ??
    wish.first(HAIR_WORDS) ??
    (isOld ? OLD_HAIR : undefined);
  const isFeminine = wish.says(...FEMININE) || (!wish.says(...MASCULINE) && random.next() < 0.5);
  const beard =
    wish.first(BEARDS) ??
    (isFeminine || random.next() < 0.75 ? undefined : random.pick(["full4", "chin", "goatee1"]));
  const hasBeard = beard !== undefined && !(isFeminine && !wish.says("beard", "bearded", "moustache"));
  const hasLongBeard =
    hasBeard &&
    wish.says("long beard", "long white beard", "long grey beard", "wizard", "santa", "dwarf", "sage") &&
    !wish.says("short beard");
  const beardColour =
    wish.colourOf("beard", "bearded", "moustache", "hair") ??
    wish.first(HAIR_WORDS) ??
    (isOld || wish.says("santa") ? OLD_HAIR : random.pick(HAIR_COLOURS));
  const eyewear = wish.first(EYEWEAR);
  const inner = avatarParts("open-peeps", {
    seed: String(random.next()),
    headVariant: hair(wish, random, {
      isFeminine,
      hasHat: hat !== undefined,
      coloured: hairColour !== undefined && hairColour !== INKY_HAIR,
    }),
    headContrastColor: hasBeard ? beardColour : (hairColour ?? random.pick(HAIR_COLOURS)),
    expressionVariant:
      wish.first(MOODS) ?? random.pick(["smile", "smile", "calm", "cheeky", "driven", "smileTeethGap"]),
    facialHairVariant: beard ?? "full",
    facialHairProbability: hasBeard ? 100 : 0,
    accessoriesVariant: eyewear ?? "glasses",
    accessoriesProbability: eyewear === undefined ? 0 : 100,
    maskProbability: wish.says("mask", "medical mask", "surgeon") ? 100 : 0,
    skinColor: skin,
    clothingColor: outfit.colour,
  });
  return {
    back: hat?.back ?? "",
    body:
      group(`translate(${LEFT} ${TOP}) scale(${SCALE})`, inner) +
      (hasLongBeard ? longBeard(beardColour) : ""),
    outfit: torso(outfit.colour) + outfit.details,
    front: (hasLongBeard ? longBeard(beardColour) : "") + (hat?.front ?? ""),
    hand: { skin, sleeve: outfit.sleeve, thickness: 50, shoulders: null },
  };
}

function hair(
  wish: Wish,
  random: Random,
  { isFeminine, hasHat, coloured }: { isFeminine: boolean; hasHat: boolean; coloured: boolean },
): string {
  const styled = wish.first(STYLED_HAIR);
  if (styled !== undefined && !(hasHat && /^hat|afro|bun|mohawk/.test(styled))) return styled;
  const isLong =
    wish.says("long hair", "long haired") || (isFeminine && !wish.says("short hair", "short haired"));
  if (hasHat && coloured) return isLong ? "bangs" : "grayShort";
  if (hasHat) return random.pick(isLong ? UNDER_HAT_LONG : UNDER_HAT_SHORT);
  if (coloured) return random.pick(isLong ? COLOURED_LONG : COLOURED_SHORT);
  return random.pick(isLong ? LONG_HAIR : SHORT_HAIR);
}

/** The bust ends at its frame; this goes on to the picture's edge. */
const torso = (colour: string): string =>
  flat("M243 807C216 866 196 950 192 1040H812C808 950 792 880 774 807Z", colour) +
  line("M241 806C214 866 196 950 192 1040M776 806C796 880 808 950 812 1040");

/** Hangs from the jaw, under the mouth, onto the chest. */
const longBeard = (colour: string): string =>
  shape(
    "M396 560C392 640 430 760 470 850C486 886 500 930 540 968C560 930 596 880 622 800C648 720 690 660 692 590C680 630 660 652 620 656C590 628 570 640 552 652C530 640 500 640 474 660C440 640 410 610 396 560Z",
    colour,
  ) +
  `<path d="M478 700C490 770 510 830 530 890M560 690C556 760 552 820 544 880M620 690C610 750 590 800 574 850" fill="none" stroke="#14121a" stroke-opacity=".35" stroke-width="7" stroke-linecap="round"/>`;
