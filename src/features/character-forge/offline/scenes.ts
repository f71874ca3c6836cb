import { isSnowy, sky, stars, type Time, timeOf } from "./light.ts";
import { PLACES } from "./places.ts";
import type { Random } from "./random.ts";
import { circle, flat, gradient, rect, repeat, ridge, SIDE } from "./svg.ts";
import type { Wish } from "./wish.ts";

/** A scene behind a character. */
export type Scene = { readonly time: Time; readonly snowy: boolean; readonly random: Random };

/** The scene that the prompt names; where it names none, a backdrop of a studio in colours of its own. */
export function scene(wish: Wish, random: Random): string {
  const place = wish.first(PLACES);
  const time = timeOf(wish);
  const snowy = isSnowy(wish);
  if (place === undefined && (time !== undefined || snowy))
    return openLand({ time: time ?? "day", snowy, random });
  if (place === undefined) return studio(random);
  return place({ time: time ?? random.pick(["day", "day", "sunset"]), snowy, random });
}

const openLand = ({ time, snowy, random }: Scene): string =>
  sky(time, random) +
  flat(ridge([720, 660, 700, 640, 690], true), snowy ? "#dbe9f6" : time === "night" ? "#26406a" : "#8cc78a") +
  flat(ridge([800, 830, 790, 820, 800], true), snowy ? "#f4f9ff" : time === "night" ? "#1a2f4f" : "#6bb074");

type Tones = readonly [ground: string, strong: string, light: string];

const STUDIOS: readonly [Tones, ...Tones[]] = [
  ["#f6d5c3", "#e9967a", "#fbe9df"],
  ["#c9e4de", "#6fb3a8", "#eef8f5"],
  ["#d6d2f0", "#8f86d8", "#f1effb"],
  ["#fbe3a6", "#efb54a", "#fff6dd"],
  ["#f7c8d8", "#dd7fa2", "#fdeef4"],
  ["#c6e2f5", "#6aa9d8", "#edf6fc"],
];

function studio(random: Random): string {
  const [ground, strong, light] = random.pick(STUDIOS);
  return (
    gradient("studio", light, ground) +
    rect(0, 0, SIDE, SIDE, "url(#studio)") +
    circle(random.between(480, 580), 520, 400, strong, `fill-opacity=".55"`) +
    circle(
      random.between(80, 220),
      random.between(100, 240),
      random.between(40, 90),
      "#ffffff",
      `fill-opacity=".55"`,
    ) +
    circle(
      random.between(820, 950),
      random.between(120, 330),
      random.between(30, 70),
      strong,
      `fill-opacity=".45"`,
    ) +
    repeat(5, (index) =>
      circle(90 + index * 210, random.between(40, 980), 12, "#ffffff", `fill-opacity=".7"`),
    ) +
    (random.next() < 0.2 ? stars(12, random, SIDE) : "")
  );
}
