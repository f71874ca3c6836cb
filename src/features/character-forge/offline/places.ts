import { castle, city, space, stage } from "./places/sky-and-town.ts";
import { desert, forest, meadow, mountains, volcano } from "./places/land.ts";
import { cafe, library, office, workshop } from "./places/rooms.ts";
import { beach, sea, underwater } from "./places/water.ts";
import type { Scene } from "./scenes.ts";

type Place = (scene: Scene) => string;

/** Places by the words that name them; the first one named is drawn. */
export const PLACES: readonly (readonly [string, Place])[] = [
  ["underwater|ocean floor|reef|mermaid|merman|atlantis|aquarium", underwater],
  ["space|galaxy|planet|moon base|mars|spaceship|cosmos|cosmic|nebula|astronaut|orbit", space],
  ["forest|woods|jungle|grove|wood|lumberjack|druid", forest],
  ["city|police|neon|street|cyberpunk|skyline|downtown|rooftop|tokyo|new york|urban", city],
  ["beach|island|tropical|surfer|lifeguard", beach],
  ["sea|ocean|ship|boat|harbor|harbour|pirate|sailor|waves|deck|lake", sea],
  ["desert|dune|sahara|egypt|cactus|cowboy|western|canyon|pyramid", desert],
  ["castle|kingdom|medieval|fortress|knight|throne|king|queen|princess|prince|village", castle],
  ["library|bookshop|bookstore|librarian|study|school|classroom|university", library],
  ["cafe|coffee shop|bar|tavern|kitchen|restaurant|bakery|barista|chef|baker|diner", cafe],
  ["workshop|garage|lab|laboratory|forge|factory|blacksmith|scientist|mechanic|inventor", workshop],
  ["office|desk|startup|programmer|developer|server room|computer", office],
  ["volcano|hell|lava|inferno|underworld", volcano],
  ["mountain|mountains|alps|peak|summit|hill|viking|climber|cave", mountains],
  ["meadow|garden|field|park|farm|farmer|picnic|gardener|flowers", meadow],
  ["stage|concert|club|disco|theater|theatre|singer|dj|rock star", stage],
];
