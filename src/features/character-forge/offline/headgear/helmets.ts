import { front, type Headgear } from "./headgear.ts";
import { circle, flat, line, repeat, shape } from "../svg.ts";

export function crown(colour: string | undefined): Headgear {
  const gold = colour ?? "#f2c744";
  const jewels =
    circle(430, 352, 15, "#d83a3a") + circle(546, 362, 17, "#4678d8") + circle(660, 350, 15, "#4faf5b");
  return front(
    shape(
      "M356 392L336 232L432 306L478 186L548 296L624 184L668 304L756 226L732 390C620 424 460 424 356 392Z",
      gold,
    ) +
      line("M352 372C460 402 630 402 736 368", "#a8781a", 9) +
      jewels,
  );
}

const horn = (d: string): string => shape(d, "#f0e6cf");

export function hornedHelmet(colour: string | undefined): Headgear {
  return {
    back:
      horn("M372 340C270 340 214 250 236 140C276 210 320 244 404 252Z") +
      horn("M716 330C820 330 876 240 850 132C812 204 766 238 684 246Z"),
    front:
      shape(
        "M348 408C330 250 430 178 546 176C662 176 760 250 738 402C620 372 460 376 348 408Z",
        colour ?? "#8d939e",
      ) +
      line("M546 178V380M360 398C470 366 620 364 728 394", "#5b616b", 14) +
      repeat(5, (index) =>
        circle(396 + index * 76, 382 - Math.sin((Math.PI * index) / 4) * 14, 8, "#e2b13c"),
      ),
  };
}

export function knightHelm(colour: string | undefined): Headgear {
  return front(
    flat(
      "M540 190C520 110 580 60 690 70C640 96 640 150 590 196Z",
      "#d83a3a",
      `stroke="#14121a" stroke-width="11"`,
    ) +
      shape(
        "M340 520C316 300 400 190 546 186C690 190 772 290 744 500L700 486C716 440 712 420 704 404C600 372 470 380 396 412C384 450 388 500 396 540Z",
        colour ?? "#a9b0bb",
      ) +
      line("M396 412C480 376 600 370 704 404M546 190V370", "#6d737f", 10) +
      circle(376, 430, 13, "#e2b13c", `stroke="#14121a" stroke-width="7"`),
  );
}

export function hardHat(colour: string | undefined): Headgear {
  return front(
    shape("M346 392C340 250 440 186 546 186C660 186 752 250 742 388Z", colour ?? "#f5b82e") +
      shape("M500 200C520 170 580 170 598 198L612 376H486Z", colour ?? "#f7c751") +
      shape(
        "M316 402C330 374 380 372 546 372C710 372 790 376 826 410C760 440 640 436 546 432C440 432 380 436 316 402Z",
        colour ?? "#f5b82e",
      ),
  );
}

export function halo(): Headgear {
  return {
    back: `<ellipse cx="546" cy="178" rx="190" ry="46" fill="none" stroke="#14121a" stroke-width="36"/><ellipse cx="546" cy="178" rx="190" ry="46" fill="none" stroke="#ffe27a" stroke-width="18"/>`,
    front: "",
  };
}

export function horns(): Headgear {
  return {
    back: "",
    front:
      shape("M420 330C350 300 330 220 360 160C380 220 420 240 470 262Z", "#7a1f2b") +
      shape("M650 262C700 240 738 220 756 160C788 220 770 300 706 330Z", "#7a1f2b"),
  };
}

export function headphones(): Headgear {
  return {
    back:
      line("M352 470C320 240 440 172 546 172C660 172 770 240 738 450", "#14121a", 44) +
      line("M352 470C320 240 440 172 546 172C660 172 770 240 738 450", "#4f5670", 24),
    front: shape(
      "M318 424C370 400 402 430 402 490C402 550 372 572 322 548C300 520 298 452 318 424Z",
      "#e0506a",
    ),
  };
}

/** Glass all around the head, which lets it through. */
export function bubbleHelmet(): Headgear {
  return {
    back: circle(546, 448, 306, "#dff3ff", `fill-opacity=".35"`),
    front:
      circle(546, 448, 306, "#ffffff", `fill-opacity=".06" stroke="#14121a" stroke-width="14"`) +
      circle(546, 448, 290, "none", `stroke="#f4f6fb" stroke-width="16"`) +
      line("M330 330C370 250 430 214 500 196", "#ffffff", 20, `stroke-opacity=".85"`) +
      circle(318, 380, 10, "#ffffff", `fill-opacity=".85"`),
  };
}
