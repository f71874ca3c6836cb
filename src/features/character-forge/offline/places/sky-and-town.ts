import { sky, stars } from "../light.ts";
import type { Scene } from "../scenes.ts";
import { circle, flat, gradient, line, n, rect, repeat, ridge, SIDE } from "../svg.ts";

const planet = (x: number, y: number, r: number, colour: string): string =>
  circle(x, y, r, colour) +
  flat(
    `M${n(x - r * 0.9)} ${n(y + r * 0.3)}Q${n(x)} ${n(y + r * 0.75)} ${n(x + r * 0.9)} ${n(y + r * 0.3)}Q${n(x + r * 0.6)} ${n(y + r)} ${n(x)} ${n(y + r)}Q${n(x - r * 0.6)} ${n(y + r)} ${n(x - r * 0.9)} ${n(y + r * 0.3)}Z`,
    "#000000",
    `fill-opacity=".18"`,
  ) +
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(r * 1.7)}" ry="${n(r * 0.36)}" fill="none" stroke="#fbe9c0" stroke-width="12" stroke-opacity=".85" transform="rotate(-16 ${n(x)} ${n(y)})"/>`;

const NEONS = ["#ff4fa3", "#42e6f5", "#ffe15a", "#9b6bff", "#5dff9b"] as const;

/** A planet with rings over grey ground, and stars. */
export function space({ random }: Scene): string {
  const hue = random.pick(["#6a4bd0", "#b0489a", "#2f7fc0"]);
  return (
    gradient("space", "#070a1f", "#161a45", "#2c2360") +
    rect(0, 0, SIDE, SIDE, "url(#space)") +
    `<radialGradient id="nebula"><stop offset="0" stop-color="${hue}" stop-opacity=".75"/><stop offset="1" stop-color="${hue}" stop-opacity="0"/></radialGradient>` +
    `<ellipse cx="${n(random.between(250, 760))}" cy="330" rx="620" ry="330" fill="url(#nebula)"/>` +
    stars(150, random, SIDE) +
    planet(
      random.between(110, 240),
      random.between(130, 260),
      random.between(80, 120),
      random.pick(["#e8a15a", "#7fc4c6", "#d87fa0"]),
    ) +
    circle(random.between(850, 950), random.between(330, 460), 44, "#c9ced6") +
    flat(ridge([880, 850, 890, 860, 880], true), "#8d86a8") +
    repeat(
      6,
      (index) =>
        `<ellipse cx="${n(80 + index * 180)}" cy="${n(random.between(930, 990))}" rx="${n(random.between(30, 60))}" ry="14" fill="#6d668a"/>`,
    )
  );
}

/** Towers with lit windows; by night with neon signs. */
export function city({ time, random }: Scene): string {
  const dark = time !== "day";
  const tower = (x: number, width: number, top: number, colour: string): string =>
    rect(x, top, width, SIDE - top, colour) +
    repeat(Math.floor((900 - top) / 46), (floor) =>
      repeat(Math.floor(width / 40), (column) =>
        random.next() < 0.62
          ? rect(
              x + 12 + column * 40,
              top + 18 + floor * 46,
              20,
              26,
              dark ? random.pick(["#ffe9a8", "#ffd27a", "#9fe8ff"]) : "#e8f4fb",
              `fill-opacity=".85"`,
            )
          : "",
      ),
    );
  const skyline = (count: number, low: number, high: number, colour: string): string =>
    repeat(count, (index) =>
      tower((index * SIDE) / count, SIDE / count - 6, random.between(low, high), colour),
    );
  const signs = repeat(5, (index) => {
    const colour = NEONS[(index + Math.floor(random.next() * NEONS.length)) % NEONS.length] ?? NEONS[0];
    const [x, y] = [index * 210 + random.between(10, 90), random.between(300, 620)];
    return (
      rect(x, y, 44, 150, "none", `rx="12" stroke="${colour}" stroke-width="20" stroke-opacity=".35"`) +
      rect(x, y, 44, 150, "#140f2a", `rx="12" stroke="${colour}" stroke-width="7"`) +
      repeat(3, (mark) => line(`M${n(x + 12)} ${n(y + 30 + mark * 44)}h20`, colour, 8))
    );
  });
  const ground =
    gradient("street", dark ? "#3b2a6b" : "#a9b6c4", dark ? "#181231" : "#7d8a99") +
    rect(0, 880, SIDE, 144, "url(#street)");
  return (
    sky(dark ? "night" : "day", random) +
    skyline(7, 260, 480, dark ? "#2a2560" : "#9fb6cc") +
    skyline(5, 430, 640, dark ? "#1b1742" : "#7892ad") +
    (dark ? signs : "") +
    ground
  );
}

/** A castle with flags on a hill. */
export function castle({ time, snowy, random }: Scene): string {
  const stone = time === "night" ? "#4a4f7a" : time === "sunset" ? "#a07a98" : "#b9bfd0";
  const tower = (x: number, top: number, width: number): string =>
    rect(x, top, width, 800 - top, stone) +
    flat(
      `M${x - 16} ${top}L${x + width / 2} ${top - width * 1.1}L${x + width + 16} ${top}Z`,
      random.pick(["#8f3f5f", "#3f5f9f", "#7a3f8f"]),
    ) +
    rect(x + width / 2 - 12, top + 50, 24, 46, "#ffe9a8", `rx="12"`) +
    line(`M${x + width / 2} ${n(top - width * 1.1)}v-50`, "#5b3a22", 6) +
    flat(`M${x + width / 2} ${n(top - width * 1.1 - 50)}l50 14l-50 16Z`, "#d83a3a");
  const wall =
    rect(60, 560, 900, 260, stone) +
    repeat(11, (index) => rect(60 + index * 84, 530, 46, 40, stone)) +
    line("M60 640H960M60 720H960", "#000000", 4, `stroke-opacity=".14"`);
  return (
    sky(time, random) +
    flat(ridge([640, 560, 620, 540, 620], true), time === "night" ? "#2a3763" : "#9cc4a0") +
    tower(110, 380, 120) +
    wall +
    tower(790, 330, 140) +
    tower(30, 480, 90) +
    flat(ridge([800, 780, 810, 790, 800], true), snowy ? "#eef5fc" : time === "night" ? "#1f3350" : "#7bb56b")
  );
}

const beam = (x: number, colour: string): string =>
  flat(`M${n(x)} 0L${n(x - 190)} 900H${n(x + 190)}Z`, colour, `fill-opacity=".3"`);

/** A stage with beams of light. */
export function stage({ random }: Scene): string {
  return (
    gradient("hall", "#150f2e", "#3a1f5c") +
    rect(0, 0, SIDE, SIDE, "url(#hall)") +
    repeat(5, (index) => beam(100 + index * 206, NEONS[index] ?? NEONS[0])) +
    repeat(40, () =>
      circle(
        random.between(0, SIDE),
        random.between(60, 760),
        random.between(2, 7),
        "#ffffff",
        `fill-opacity=".5"`,
      ),
    ) +
    rect(0, 880, SIDE, 144, "#1c1233")
  );
}
