import type { Random } from "../random.ts";
import type { Scene } from "../scenes.ts";
import { circle, flat, line, n, rect, repeat, SIDE } from "../svg.ts";

/** A room: wall, floor, and what stands at the wall. */
const room = (wall: string, floor: string, inside: string): string =>
  rect(0, 0, SIDE, SIDE, wall) +
  inside +
  rect(0, 850, SIDE, 174, floor) +
  rect(0, 846, SIDE, 14, "#000000", `fill-opacity=".18"`);

const SPINES = ["#b5432f", "#2f6f8f", "#e2b13c", "#3f8f5b", "#7a4fa0", "#d8d0c0", "#c2547a"] as const;

const shelf = (x: number, y: number, width: number, random: Random): string => {
  let books = "";
  for (let at = x + 8; at < x + width - 26;) {
    const [thick, tall] = [random.between(16, 30), random.between(72, 104)];
    books +=
      rect(at, y - tall, thick, tall, random.pick(SPINES)) +
      rect(at + 4, y - tall + 14, thick - 8, 6, "#ffffff", `fill-opacity=".5"`);
    at += thick + 3;
  }
  return books + rect(x, y, width, 16, "#5b3a22");
};

/** Shelves full of books. */
export function library({ random }: Scene): string {
  return room(
    "#7a5238",
    "#4a2f1f",
    rect(0, 0, SIDE, 850, "#6b4530") +
      repeat(
        6,
        (level) =>
          shelf(0, 130 + level * 136, 330, random) +
          shelf(350, 130 + level * 136, 320, random) +
          shelf(690, 130 + level * 136, 334, random),
      ) +
      circle(512, 360, 330, "#ffdf9a", `fill-opacity=".2"`),
  );
}

const lamp = (x: number): string =>
  line(`M${x} 0V150`, "#2a2028", 8) +
  circle(x, 200, 110, "#ffe9a8", `fill-opacity=".28"`) +
  flat(`M${x - 66} 214L${x - 30} 146H${x + 30}L${x + 66} 214Z`, "#d0702c");

/** A counter with a window, a shelf and lamps. */
export function cafe({ random, time }: Scene): string {
  const window =
    rect(90, 150, 320, 380, time === "night" ? "#26306b" : "#bfe6f7", `stroke="#5b3a22" stroke-width="18"`) +
    line("M250 150V530M90 340H410", "#5b3a22", 12);
  return room(
    "#e9cdaa",
    "#8a5a34",
    window +
      shelf(640, 330, 330, random) +
      shelf(640, 500, 330, random) +
      lamp(512) +
      lamp(800) +
      rect(0, 740, SIDE, 110, "#a86b3c") +
      rect(0, 726, SIDE, 26, "#6b4226"),
  );
}

const gear = (x: number, y: number, r: number, colour: string): string =>
  repeat(8, (index) =>
    rect(
      x - r * 0.16,
      y - r * 1.25,
      r * 0.32,
      r * 0.5,
      colour,
      `transform="rotate(${index * 45} ${n(x)} ${n(y)})"`,
    ),
  ) +
  circle(x, y, r, colour) +
  circle(x, y, r * 0.42, "#4a5568");

/** A wall of gears, pipes and flasks. */
export function workshop({ random }: Scene): string {
  const flasks = repeat(4, (index) =>
    flat(
      `M${690 + index * 84} 420h24v40l26 70h-76l26 -70Z`,
      random.pick(["#63e6be", "#f083b4", "#9b6bff", "#ffe15a"]),
      `fill-opacity=".9"`,
    ),
  );
  return room(
    "#566276",
    "#39414f",
    gear(170, 240, 100, "#8796ac") +
      gear(330, 400, 66, "#a4b1c4") +
      rect(650, 530, 360, 18, "#5b3a22") +
      flasks +
      line("M650 180H1010M690 180v90M770 180v120M850 180v80M930 180v110", "#aeb8c8", 12),
  );
}

/** Desks with screens. */
export function office({ time, random }: Scene): string {
  const screen = (x: number): string =>
    rect(x, 420, 250, 170, "#1b2233", `rx="12" stroke="#3a4358" stroke-width="12"`) +
    repeat(5, (index) =>
      line(
        `M${x + 24} ${450 + index * 26}h${n(random.between(60, 190))}`,
        random.pick(["#63e6be", "#7fb2e5", "#f7cf46"]),
        8,
      ),
    ) +
    rect(x + 108, 590, 34, 60, "#3a4358");
  const window =
    rect(360, 90, 320, 260, time === "night" ? "#1b2350" : "#cfeaf8", `stroke="#f4f2ee" stroke-width="16"`) +
    repeat(5, (index) =>
      rect(384 + index * 58, random.between(190, 270), 44, 160, time === "night" ? "#34407a" : "#9fbfd6"),
    );
  return room(
    time === "night" ? "#3a3f63" : "#dfe6ee",
    "#8b93a5",
    window + rect(0, 650, SIDE, 26, "#a9794d") + screen(60) + screen(720),
  );
}
