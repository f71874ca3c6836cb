import { front, type Headgear } from "./headgear.ts";
import type { Random } from "../random.ts";
import { circle, flat, line, n, repeat, shape } from "../svg.ts";

export function pointedHat(colour: string | undefined, random: Random): Headgear {
  const cloth = colour ?? random.pick(["#4b3aa8", "#2d4f9e", "#6b2f8f", "#20625f", "#2c2a3d"]);
  const stars = repeat(4, (index) =>
    star(470 + index * 48 - (index % 2) * 20, 300 - index * 56, 15 - index * 1.5, "#f7d774"),
  );
  return front(
    shape(
      "M330 386C420 330 446 190 520 60C552 6 640 -6 690 66C640 56 618 84 624 130C636 220 664 330 752 378C620 440 450 444 330 386Z",
      cloth,
    ) +
      flat("M388 352C500 396 600 392 700 346L716 364C610 418 480 420 366 372Z", "#f7d774") +
      stars +
      shape(
        "M226 398C330 346 400 356 432 374C520 404 590 400 660 366C720 350 800 352 866 388C790 452 640 476 520 470C400 466 290 440 226 398Z",
        cloth,
      ),
  );
}

const star = (x: number, y: number, r: number, colour: string): string =>
  flat(
    repeat(10, (index) => {
      const angle = (Math.PI * index) / 5 - Math.PI / 2;
      const reach = index % 2 === 0 ? r : r * 0.45;
      return `${index === 0 ? "M" : "L"}${n(x + reach * Math.cos(angle))} ${n(y + reach * Math.sin(angle))}`;
    }) + "Z",
    colour,
  );

export function pirateHat(colour: string | undefined): Headgear {
  const felt = colour ?? "#2b2733";
  const skull =
    circle(546, 286, 36, "#f4f2ee") +
    flat("M524 306h44v26h-44Z", "#f4f2ee") +
    circle(533, 284, 9, felt) +
    circle(560, 284, 9, felt) +
    line("M470 262L624 344M624 262L470 344", "#f4f2ee", 12);
  return front(
    shape(
      "M262 398C300 300 380 200 546 182C712 200 800 300 842 392C760 370 660 356 546 362C430 362 340 372 262 398Z",
      felt,
    ) +
      line("M284 384C370 350 440 340 546 342C660 342 750 356 822 380", "#e2b13c", 10) +
      skull,
  );
}

export function chefHat(): Headgear {
  return front(
    shape(
      "M392 390L372 292C300 290 280 190 360 168C376 90 480 70 532 112C590 60 700 78 716 160C804 176 796 290 716 294L704 386C610 412 480 412 392 390Z",
      "#fbfaf6",
    ) + line("M452 372L444 290M546 384V292M640 374L648 290", "#cfcac0", 9),
  );
}

export function cowboyHat(colour: string | undefined): Headgear {
  return front(
    shape(
      "M366 386C376 250 420 186 470 196C510 206 530 224 548 224C566 224 590 206 626 196C680 186 716 250 724 380Z",
      colour ?? "#9a6638",
    ) +
      line("M370 352C470 386 620 386 722 348", "#4a2d16", 24) +
      shape(
        "M212 352C270 440 420 414 546 416C680 414 820 440 884 344C870 460 720 474 546 470C370 474 226 462 212 352Z",
        colour ?? "#9a6638",
      ),
  );
}

export function softCap(cloth: string): Headgear {
  return front(
    shape(
      "M352 380C380 220 520 150 640 172C760 196 840 280 852 400C800 330 760 312 716 318L738 380Z",
      cloth,
    ) +
      circle(852, 414, 44, "#fbfaf6", `stroke="#14121a" stroke-width="11"`) +
      shape(
        "M330 412C310 360 350 344 380 356C480 388 620 388 720 350C770 340 790 390 756 416C640 460 450 462 330 412Z",
        "#fbfaf6",
      ),
  );
}

export function topHat(colour: string | undefined): Headgear {
  return front(
    shape("M384 384L358 120C470 96 620 96 736 116L708 380Z", colour ?? "#2a2833") +
      flat("M376 306C480 332 610 332 716 302L710 362C610 390 480 390 382 366Z", "#a83246") +
      shape(
        "M254 384C340 360 400 372 440 380C520 394 600 392 660 376C720 364 790 360 846 378C780 446 640 452 546 450C440 450 310 444 254 384Z",
        colour ?? "#2a2833",
      ),
  );
}

export function mortarboard(): Headgear {
  return front(
    shape("M380 400L388 290H706L716 396C620 424 470 424 380 400Z", "#2c2f45") +
      shape("M546 352L250 262L546 176L846 258Z", "#363a56") +
      line("M546 264C660 270 760 280 792 300V396", "#f2c744", 9) +
      circle(792, 408, 17, "#f2c744"),
  );
}

export function peakedCap(colour: string | undefined): Headgear {
  const cloth = colour ?? "#f4f2ee";
  return front(
    shape("M330 342C310 230 420 180 546 184C690 180 800 230 774 336C640 372 470 374 330 342Z", cloth) +
      shape("M366 398L352 334C470 366 640 366 742 330L736 390C640 420 470 422 366 398Z", "#27345c") +
      circle(560, 372, 24, "#e2b13c", `stroke="#14121a" stroke-width="7"`) +
      shape("M446 404C560 424 680 414 752 384C800 400 806 428 790 446C700 420 560 424 446 404Z", "#1d1b26"),
  );
}

export function baseballCap(colour: string | undefined, random: Random): Headgear {
  const cloth = colour ?? random.pick(["#d83a3a", "#4678d8", "#3f8f5b", "#2a2730"]);
  return front(
    shape("M346 394C336 250 430 190 546 188C664 190 752 260 742 384C620 362 460 364 346 394Z", cloth) +
      circle(546, 190, 15, cloth, `stroke="#14121a" stroke-width="9"`) +
      shape("M510 372C620 350 720 356 760 372C860 384 900 420 884 446C780 412 640 420 510 412Z", cloth),
  );
}
