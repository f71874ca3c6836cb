import { sky } from "../light.ts";
import type { Scene } from "../scenes.ts";
import { circle, flat, gradient, line, n, rect, repeat, ridge, SIDE } from "../svg.ts";

const planks = (): string =>
  rect(0, 930, SIDE, 94, "#8a5a34") +
  repeat(4, (index) => line(`M0 ${944 + index * 26}H${SIDE}`, "#5b3a22", 5));

const fish = (x: number, y: number, colour: string): string =>
  flat(`M${n(x)} ${n(y)}q30 -30 66 0l26 -22v44l-26 -22q-36 30 -66 0Z`, colour) +
  circle(x + 18, y - 4, 4, "#14121a");

const wave = (y: number, colour: string): string =>
  flat(
    ridge(
      Array.from({ length: 9 }, (_, index) => y + (index % 2 === 0 ? -16 : 16)),
      true,
    ),
    colour,
  );

/** The sea from a deck, with a ship far off. */
export function sea({ time, random }: Scene): string {
  const [far, near] =
    time === "night"
      ? ["#1d3f77", "#15305f"]
      : time === "sunset"
        ? ["#5a5aa8", "#3f4690"]
        : ["#3f92c9", "#2f77b3"];
  const sail = random.between(760, 880);
  const ship =
    flat(`M${n(sail - 90)} 610H${n(sail + 90)}L${n(sail + 60)} 660H${n(sail - 60)}Z`, "#5b3a22") +
    rect(sail - 4, 450, 8, 160, "#5b3a22") +
    flat(`M${n(sail + 8)} 460Q${n(sail + 100)} 530 ${n(sail + 8)} 596Z`, "#f4efe2") +
    flat(`M${n(sail - 8)} 480Q${n(sail - 70)} 540 ${n(sail - 8)} 596Z`, "#e2d8c0");
  return (
    sky(time, random) +
    rect(0, 620, SIDE, 404, far ?? "") +
    ship +
    wave(690, far ?? "") +
    wave(780, near ?? "") +
    wave(880, far ?? "") +
    planks()
  );
}

const palm = (x: number, flip: number): string =>
  line(`M${x} 900C${x + 30 * flip} 740 ${x + 20 * flip} 600 ${x + 70 * flip} 470`, "#7a5230", 30) +
  repeat(5, (index) => {
    const angle = Math.PI * (0.95 + index * 0.28);
    const [tipX, tipY] = [x + 70 * flip + Math.cos(angle) * 190, 470 + Math.sin(angle) * 120 + 60];
    return line(
      `M${x + 70 * flip} 470Q${n((x + 70 * flip + tipX) / 2)} ${n(400 + index * 6)} ${n(tipX)} ${n(tipY)}`,
      "#3f9a5a",
      26,
    );
  });

/** A beach with two palms. */
export function beach({ time, random }: Scene): string {
  return (
    sky(time, random) +
    rect(0, 600, SIDE, 200, "#3fb6c9") +
    flat(ridge([760, 740, 770, 750, 760], true), "#9be3e0") +
    flat(ridge([810, 790, 820, 800, 810], true), "#f3dca4") +
    palm(110, 1) +
    palm(930, -1)
  );
}

const weed = (x: number, height: number, colour: string): string =>
  line(
    `M${n(x)} 1000C${n(x - 50)} ${n(1000 - height * 0.3)} ${n(x + 50)} ${n(1000 - height * 0.6)} ${n(x)} ${n(1000 - height)}`,
    colour,
    24,
  );

/** The ground of the sea, with weeds and fish. */
export function underwater({ random }: Scene): string {
  return (
    gradient("deep", "#5fd0e6", "#2f8fc9", "#164a86") +
    rect(0, 0, SIDE, SIDE, "url(#deep)") +
    repeat(4, (index) =>
      flat(
        `M${150 + index * 230} 0L${40 + index * 260} 1024H${190 + index * 260}L${220 + index * 230} 0Z`,
        "#ffffff",
        `fill-opacity=".1"`,
      ),
    ) +
    flat(ridge([900, 870, 910, 880, 900], true), "#e6cf95") +
    repeat(9, () =>
      weed(random.between(0, SIDE), random.between(160, 380), random.pick(["#2f9a6b", "#46b078", "#d0609a"])),
    ) +
    repeat(5, () =>
      fish(random.between(60, 960), random.between(120, 520), random.pick(["#f7cf46", "#f08a24", "#f083b4"])),
    )
  );
}
