import type { Random } from "./random.ts";
import { circle, gradient, line, n, rect, repeat, SIDE } from "./svg.ts";
import type { Wish } from "./wish.ts";

export const TIMES = ["day", "sunset", "night"] as const;
export type Time = (typeof TIMES)[number];

const TIME_WORDS = [
  ["night|neon|cyberpunk|midnight|moonlit|moon|starry|dark|nocturnal", "night"],
  ["sunset|dusk|evening|dawn|sunrise|twilight|golden hour", "sunset"],
  ["day|noon|morning|sunny|bright|daylight|summer", "day"],
] as const;

/** The time of day that the prompt names; undefined where it names none. */
export const timeOf = (wish: Wish): Time | undefined => wish.first(TIME_WORDS);

const SKIES: Readonly<Record<Time, readonly [string, ...string[]]>> = {
  day: ["#7cc4f0", "#bfe6f7", "#f3fbf6"],
  sunset: ["#4b3b86", "#d0628a", "#f7a46b", "#fde2a8"],
  night: ["#0d1436", "#26306b", "#4b4a8f"],
};

/** The sky from edge to edge, with sun, moon, stars and clouds. */
export function sky(time: Time, random: Random): string {
  const background = gradient("sky", ...SKIES[time]) + rect(0, 0, SIDE, SIDE, "url(#sky)");
  const x = random.between(120, 260);
  if (time === "night") {
    const moon =
      circle(x, 170, 82, "#fff6d8") +
      circle(x, 170, 120, "#fff6d8", `fill-opacity=".14"`) +
      circle(x - 26, 150, 15, "#efe2b4") +
      circle(x + 28, 190, 21, "#efe2b4");
    return background + stars(70, random, 560) + moon;
  }
  const sun =
    circle(x, time === "day" ? 160 : 420, 84, time === "day" ? "#fff0a8" : "#ffd27a") +
    circle(x, time === "day" ? 160 : 420, 130, "#fff6d8", `fill-opacity=".25"`);
  return (
    background +
    sun +
    repeat(3, (index) =>
      cloud(
        random.between(60, 900),
        random.between(80, 300),
        random.between(0.6, 1.1),
        time === "day" ? 0.85 : 0.35 + index * 0.02,
      ),
    )
  );
}

/** Stars down to a height. */
export const stars = (count: number, random: Random, height: number): string =>
  repeat(count, () =>
    circle(
      random.between(0, SIDE),
      random.between(0, height),
      random.between(1.2, 4.2),
      "#ffffff",
      `fill-opacity="${n(random.between(0.4, 1))}"`,
    ),
  );

const cloud = (x: number, y: number, scale: number, opacity: number): string =>
  `<g transform="translate(${n(x)} ${n(y)}) scale(${n(scale)})" fill="#ffffff" opacity="${n(opacity)}"><ellipse cx="0" cy="0" rx="110" ry="34"/><ellipse cx="-40" cy="-26" rx="52" ry="40"/><ellipse cx="34" cy="-34" rx="64" ry="50"/></g>`;

type Fall = (random: Random) => string;

/** What falls or floats in front of everything. */
const WEATHERS: readonly (readonly [string, Fall])[] = [
  [
    "snow|snowy|winter|blizzard|christmas|ice|frozen|arctic",
    (random) =>
      repeat(70, () =>
        circle(
          random.between(0, SIDE),
          random.between(0, SIDE),
          random.between(3, 10),
          "#ffffff",
          `fill-opacity="${n(random.between(0.5, 0.95))}"`,
        ),
      ),
  ],
  [
    "rain|rainy|storm|stormy|thunder",
    (random) =>
      repeat(80, () => {
        const x = random.between(-40, SIDE);
        const y = random.between(-40, SIDE);
        return line(`M${n(x)} ${n(y)}l-14 56`, "#cfe6ff", 4, `stroke-opacity=".6"`);
      }),
  ],
  [
    "autumn|fall leaves|leaves|october",
    (random) =>
      repeat(
        26,
        () =>
          `<ellipse cx="${n(random.between(0, SIDE))}" cy="${n(random.between(0, SIDE))}" rx="14" ry="7" fill="${random.pick(["#d0702c", "#e2b13c", "#b5432f"])}" transform="rotate(${n(random.between(-60, 60))} 512 512)"/>`,
      ),
  ],
  [
    "fire|flames|lava|hell|volcano|ember|embers|burning",
    (random) =>
      repeat(46, () =>
        circle(
          random.between(0, SIDE),
          random.between(200, SIDE),
          random.between(2, 8),
          random.pick(["#ffb347", "#ff7a3d", "#ffe08a"]),
          `fill-opacity=".85"`,
        ),
      ),
  ],
  [
    "magic|magical|sparkle|sparkles|fairy|enchanted|glitter|glowing|fireflies",
    (random) =>
      repeat(34, () =>
        circle(
          random.between(0, SIDE),
          random.between(120, SIDE),
          random.between(3, 9),
          random.pick(["#ffe27a", "#9ff0ff", "#ffd1f0"]),
          `fill-opacity=".85"`,
        ),
      ),
  ],
  [
    "underwater|ocean floor|mermaid|reef|bubbles",
    (random) =>
      repeat(28, () =>
        circle(
          random.between(0, SIDE),
          random.between(0, SIDE),
          random.between(6, 22),
          "#ffffff",
          `fill-opacity=".12" stroke="#e8fbff" stroke-width="4" stroke-opacity=".7"`,
        ),
      ),
  ],
  [
    "confetti|party|birthday|celebration|carnival",
    (random) =>
      repeat(60, () =>
        rect(
          random.between(0, SIDE),
          random.between(0, SIDE),
          16,
          9,
          random.pick(["#e0506a", "#4678d8", "#f7cf46", "#4faf5b", "#8450c4"]),
          `transform="rotate(${n(random.between(-50, 50))} 512 512)"`,
        ),
      ),
  ],
];

/** Whether snow lies. */
export const isSnowy = (wish: Wish): boolean => wish.says(...(WEATHERS[0]?.[0].split("|") ?? []));

/** What falls or floats before the character. */
export const weather = (wish: Wish, random: Random): string => wish.first(WEATHERS)?.(random) ?? "";
