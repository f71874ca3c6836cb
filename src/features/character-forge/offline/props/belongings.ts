import type { PropTable } from "../props.ts";
import { circle, flat, group, line, rect, repeat, shape } from "../svg.ts";

/** What people carry about. */
export const BELONGINGS: PropTable = [
  [
    "umbrella|parasol",
    {
      drawing:
        line("M0 150V-270", "#5b3a22", 16) +
        shape(
          "M-200 -240C-190 -380 -90 -440 0 -444C90 -440 190 -380 200 -240C160 -270 130 -270 100 -240C60 -270 40 -270 0 -240C-40 -270 -60 -270 -100 -240C-130 -270 -160 -270 -200 -240Z",
          "#e0506a",
        ),
    },
  ],
  [
    "guitar|ukulele|bard|rock star|musician",
    {
      drawing: group(
        "rotate(28)",
        shape("M-16 -330H16V-60H-16Z", "#5b3a22") +
          shape("M-26 -390H26L20 -320H-20Z", "#5b3a22") +
          shape(
            "M-76 -60C-40 -90 40 -90 76 -60C96 -30 60 0 76 40C120 90 90 170 0 174C-90 170 -120 90 -76 40C-60 0 -96 -30 -76 -60Z",
            "#d0702c",
          ) +
          circle(0, 40, 36, "#2a1a12") +
          line("M-6 -320V110M6 -320V110", "#f4f2ee", 3),
      ),
      over: true,
    },
  ],
  [
    "microphone|singer|podcaster|rapper",
    {
      drawing:
        shape("M-16 -60H16L10 110H-10Z", "#2a2833") +
        circle(0, -100, 54, "#c3cad6", `stroke="#14121a" stroke-width="11"`) +
        line("M-44 -100H44M-36 -124H36M-36 -76H36", "#8d939e", 6),
    },
  ],
  [
    "camera|photographer|tourist",
    {
      drawing:
        shape("M-120 -70H-50L-30 -104H30L50 -70H120V80H-120Z", "#3a3d4a") +
        circle(0, 4, 54, "#c3cad6", `stroke="#14121a" stroke-width="11"`) +
        circle(0, 4, 30, "#35528f"),
      over: true,
    },
  ],
  [
    "laptop|computer|programmer|developer|hacker|coder",
    {
      drawing:
        shape("M-150 -190H150V20H-150Z", "#3a3d4a") +
        rect(-130, -172, 260, 172, "#16324a") +
        line("M-104 -136H-20M-104 -104H60M-76 -72H30M-104 -40H-40", "#63e6be", 9) +
        shape("M-190 20H190L210 62H-210Z", "#c3cad6"),
      over: true,
    },
  ],
  [
    "coffee|tea|mug|cup|barista|cocoa",
    {
      drawing:
        line(
          "M-30 -150C-60 -190 0 -210 -30 -250M30 -150C0 -190 60 -210 30 -250",
          "#ffffff",
          12,
          `stroke-opacity=".75"`,
        ) +
        line("M70 -60C140 -70 140 30 66 20", "#14121a", 34) +
        line("M70 -60C140 -70 140 30 66 20", "#f4f2ee", 14) +
        shape("M-80 -110H80L64 70H-64Z", "#f4f2ee") +
        `<ellipse cx="0" cy="-108" rx="78" ry="18" fill="#5b3a22" stroke="#14121a" stroke-width="9"/>` +
        flat("M0 20C-50 -20 -20 -56 0 -30C20 -56 50 -20 0 20Z", "#e0506a"),
    },
  ],
  [
    "book|librarian|scholar|teacher|student|reading|spellbook|professor|monk",
    {
      drawing:
        shape(
          "M-150 -100C-90 -130 -40 -120 0 -90C40 -120 90 -130 150 -100V70C90 44 40 52 0 84C-40 52 -90 44 -150 70Z",
          "#fbf4e4",
        ) +
        line("M0 -90V84", undefined, 9) +
        line(
          "M-120 -66C-80 -84 -50 -78 -26 -62M-120 -26C-80 -44 -50 -38 -26 -22M120 -66C80 -84 50 -78 26 -62M120 -26C80 -44 50 -38 26 -22",
          "#a99878",
          7,
        ) +
        line("M-162 -92V88C-100 62 -40 70 0 102C40 70 100 62 162 88V-92", "#8f2f38", 16),
      over: true,
    },
  ],
  [
    "flower|rose|bouquet|florist|tulip|sunflower",
    {
      drawing:
        line("M0 60V-120", "#3f8f5b", 16) +
        flat("M0 0C-60 -10 -80 -50 -70 -80C-30 -70 0 -40 0 0Z", "#4faf5b") +
        repeat(6, (i) =>
          circle(
            Math.cos((i * Math.PI) / 3) * 44,
            -170 + Math.sin((i * Math.PI) / 3) * 44,
            36,
            "#f083b4",
            `stroke="#14121a" stroke-width="8"`,
          ),
        ) +
        circle(0, -170, 32, "#f7cf46", `stroke="#14121a" stroke-width="8"`),
    },
  ],
  [
    "paintbrush|painter|artist|palette|painting",
    {
      drawing:
        line("M20 60L-40 -170", "#c58b57", 22) +
        shape("M-64 -164L-20 -180C-20 -230 -50 -260 -84 -290C-92 -240 -92 -200 -64 -164Z", "#d83a3a"),
    },
  ],
];
