import { sky } from "../light.ts";
import type { Random } from "../random.ts";
import type { Scene } from "../scenes.ts";
import { circle, flat, gradient, line, n, rect, repeat, ridge, SIDE } from "../svg.ts";

const tree = (x: number, base: number, size: number, colour: string, snow: boolean): string => {
  const tier = (at: number, half: number, height: number): string =>
    flat(`M${n(x - half)} ${n(at)}L${n(x)} ${n(at - height)}L${n(x + half)} ${n(at)}Z`, colour) +
    (snow
      ? flat(
          `M${n(x - half * 0.5)} ${n(at - height * 0.5)}L${n(x)} ${n(at - height)}L${n(x + half * 0.5)} ${n(at - height * 0.5)}Q${n(x)} ${n(at - height * 0.38)} ${n(x - half * 0.5)} ${n(at - height * 0.5)}Z`,
          "#f4f9ff",
        )
      : "");
  return (
    rect(x - size * 0.06, base - size * 0.2, size * 0.12, size * 0.25, "#5b3a22") +
    tier(base - size * 0.15, size * 0.34, size * 0.5) +
    tier(base - size * 0.42, size * 0.27, size * 0.44) +
    tier(base - size * 0.68, size * 0.19, size * 0.36)
  );
};

const row = (
  count: number,
  random: Random,
  base: number,
  low: number,
  high: number,
  draw: (x: number, base: number, size: number) => string,
): string =>
  repeat(count, (index) =>
    draw(
      ((index + random.between(0.1, 0.9)) * SIDE) / count,
      base + random.between(-18, 18),
      random.between(low, high),
    ),
  );

/** Firs in two rows, white with snow in winter. */
export function forest({ time, snowy, random }: Scene): string {
  const far = time === "night" ? "#24406b" : time === "sunset" ? "#7a4f7c" : "#7fb894";
  const near = time === "night" ? "#15304a" : time === "sunset" ? "#4e3460" : "#3f8560";
  const ground = snowy ? "#eaf3fc" : time === "night" ? "#12283c" : "#5f9d5a";
  return (
    sky(time, random) +
    row(11, random, 760, 260, 420, (x, base, size) => tree(x, base, size, far, snowy)) +
    row(7, random, 850, 420, 640, (x, base, size) => tree(x, base, size, near, snowy)) +
    flat(ridge([820, 800, 840, 810, 830], true), ground)
  );
}

/** Dunes with cacti and a pyramid. */
export function desert({ time, random }: Scene): string {
  const [far, near] = time === "night" ? ["#5b5486", "#403b68"] : ["#f0c07a", "#e0a257"];
  const cactus = (x: number, base: number, size: number): string =>
    line(
      `M${n(x)} ${n(base)}V${n(base - size)}M${n(x)} ${n(base - size * 0.4)}H${n(x + size * 0.3)}V${n(base - size * 0.7)}M${n(x)} ${n(base - size * 0.3)}H${n(x - size * 0.3)}V${n(base - size * 0.55)}`,
      time === "night" ? "#2b5a4c" : "#4f9a5c",
      size * 0.16,
    );
  return (
    sky(time, random) +
    flat("M560 640L760 380L960 640Z", time === "night" ? "#4b4577" : "#d9a35c") +
    flat("M760 380L960 640H830Z", "#000000", `fill-opacity=".14"`) +
    flat(ridge([640, 600, 650, 620, 640], true), far ?? "") +
    cactus(130, 800, 240) +
    cactus(930, 780, 180) +
    flat(ridge([800, 760, 810, 770, 800], true), near ?? "")
  );
}

/** Three peaks with snow on top. */
export function mountains({ time, snowy, random }: Scene): string {
  const rock = time === "night" ? "#39457a" : time === "sunset" ? "#8a6a9c" : "#7f93ad";
  const peak = (x: number, top: number, half: number): string =>
    flat(`M${n(x - half)} 820L${n(x)} ${n(top)}L${n(x + half)} 820Z`, rock) +
    flat(`M${n(x)} ${n(top)}L${n(x + half)} 820H${n(x + half * 0.2)}Z`, "#000000", `fill-opacity=".14"`) +
    flat(
      `M${n(x - half * 0.26)} ${n(top + (820 - top) * 0.26)}L${n(x)} ${n(top)}L${n(x + half * 0.26)} ${n(top + (820 - top) * 0.26)}L${n(x + half * 0.1)} ${n(top + (820 - top) * 0.2)}L${n(x)} ${n(top + (820 - top) * 0.3)}L${n(x - half * 0.12)} ${n(top + (820 - top) * 0.2)}Z`,
      "#ffffff",
    );
  return (
    sky(time, random) +
    peak(200, random.between(260, 360), 320) +
    peak(840, random.between(220, 320), 360) +
    peak(520, random.between(340, 420), 300) +
    flat(ridge([800, 770, 810, 780, 800], true), snowy ? "#f1f7fd" : time === "night" ? "#22374f" : "#6ea56f")
  );
}

/** Hills full of flowers. */
export function meadow({ time, random }: Scene): string {
  const flowers = repeat(40, () => {
    const [x, y] = [random.between(0, SIDE), random.between(830, 1010)];
    return (
      line(`M${n(x)} ${n(y)}v24`, "#3f8f5b", 5) +
      circle(
        x,
        y,
        random.between(8, 14),
        random.pick(["#f083b4", "#f7cf46", "#ffffff", "#e0506a", "#a98be8"]),
      )
    );
  });
  return (
    sky(time, random) +
    flat(ridge([680, 620, 670, 610, 660], true), time === "night" ? "#27506a" : "#a6d88f") +
    flat(ridge([790, 760, 800, 770, 790], true), time === "night" ? "#1d4050" : "#79c06c") +
    flowers
  );
}

/** A mountain of fire under a sky of ash. */
export function volcano({ random }: Scene): string {
  return (
    gradient("ash", "#1d0f1f", "#5a1a26", "#c2402a") +
    rect(0, 0, SIDE, SIDE, "url(#ash)") +
    flat("M160 820L420 360H600L880 820Z", "#2c1a22") +
    flat("M420 360C470 400 550 400 600 360L570 470L620 560L540 620L520 500L470 560L480 440Z", "#ff8a3d") +
    flat(ridge([830, 800, 850, 810, 830], false), "#221219") +
    repeat(
      7,
      () =>
        `<ellipse cx="${n(random.between(0, SIDE))}" cy="${n(random.between(900, 1000))}" rx="${n(random.between(50, 120))}" ry="12" fill="#ff7a3d"/>`,
    )
  );
}
