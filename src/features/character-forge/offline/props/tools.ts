import type { PropTable } from "../props.ts";
import { circle, flat, group, line, repeat, shape } from "../svg.ts";

const GLOW = (colour: string): string =>
  circle(0, -330, 74, colour, `fill-opacity=".28"`) + circle(0, -330, 50, colour, `fill-opacity=".45"`);

/** Weapons and tools. */
export const TOOLS: PropTable = [
  [
    "staff|wizard|druid|sorcerer|sorceress",
    {
      drawing:
        shape("M-14 330L-12 -270H14L16 330Z", "#7a4a2b") +
        GLOW("#7fe3ff") +
        shape(
          "M-54 -270C-90 -330 -60 -400 0 -410C60 -400 90 -330 54 -270C40 -300 30 -320 0 -322C-30 -320 -40 -300 -54 -270Z",
          "#7a4a2b",
        ) +
        circle(0, -336, 32, "#9ff0ff", `stroke="#14121a" stroke-width="9"`),
    },
  ],
  [
    "trident|poseidon|merman",
    {
      drawing:
        shape("M-11 330V-220H11V330Z", "#c79a3a") +
        shape(
          "M-90 -360L-78 -230C-60 -200 60 -200 78 -230L90 -360L50 -300V-250H14V-390L0 -420L-14 -390V-250H-50V-300Z",
          "#e2b13c",
        ),
    },
  ],
  [
    "sword|knight|swordsman|paladin|samurai|pirate|gladiator|warrior|hero",
    {
      drawing:
        shape("M-20 -70L-26 -330L0 -392L26 -330L20 -70Z", "#dfe5ee") +
        line("M0 -330V-90", "#9aa4b5", 8) +
        shape("M-86 -74H86V-42H-86Z", "#e2b13c") +
        shape("M-14 -42H14V64H-14Z", "#7a4a2b") +
        circle(0, 76, 22, "#e2b13c", `stroke="#14121a" stroke-width="9"`),
    },
  ],
  [
    "axe|viking|lumberjack|dwarf|barbarian",
    {
      drawing:
        shape("M-13 260L-13 -300H13L13 260Z", "#7a4a2b") +
        shape(
          "M10 -280C60 -330 120 -330 150 -300C130 -250 130 -190 150 -140C110 -120 60 -130 10 -170Z",
          "#c3cad6",
        ),
    },
  ],
  [
    "bow|archer|ranger|hunter|elf",
    {
      drawing:
        line("M-30 -280C90 -180 90 180 -30 280", "#7a4a2b", 24) +
        line("M-30 -280V280", "#f4f2ee", 6) +
        line("M-150 0H110", "#8a6a44", 10) +
        shape("M100 -22L150 0L100 22Z", "#c3cad6"),
    },
  ],
  [
    "wand|fairy|magician",
    {
      drawing:
        line("M0 40L-40 -200", "#2a2833", 22) +
        line("M-34 -164L-40 -200", "#f4f2ee", 22) +
        repeat(5, (i) =>
          circle(-50 + Math.cos(i * 1.3) * 70, -250 + Math.sin(i * 1.3) * 60, 9 + (i % 3) * 4, "#ffe27a"),
        ),
    },
  ],
  [
    "shield",
    {
      drawing:
        shape(
          "M-120 -140C-60 -130 -30 -150 0 -170C30 -150 60 -130 120 -140C130 20 80 120 0 170C-80 120 -130 20 -120 -140Z",
          "#4678d8",
        ) + flat("M-14 -150H14V150H-14ZM-112 -30H112V0H-112Z", "#f7d774"),
      over: true,
    },
  ],
  [
    "magnifying glass|detective|investigator|sherlock",
    {
      drawing:
        line("M20 100L56 10", "#5b3a22", 34) +
        circle(-16, -110, 96, "#dff3ff", `fill-opacity=".55" stroke="#14121a" stroke-width="30"`) +
        circle(-16, -110, 96, "none", `stroke="#e2b13c" stroke-width="12"`) +
        line("M-70 -140C-60 -170 -30 -180 -10 -180", "#ffffff", 12),
    },
  ],
  [
    "hammer|blacksmith|carpenter|builder|thor|smith",
    { drawing: shape("M-14 140V-160H14V140Z", "#7a4a2b") + shape("M-110 -240H110V-140H-110Z", "#8d939e") },
  ],
  [
    "wrench|mechanic|engineer|plumber|repair",
    {
      drawing: shape(
        "M-22 140L-22 -110C-70 -140 -80 -200 -56 -240L-22 -196H22L56 -240C80 -200 70 -140 22 -110L22 140Z",
        "#aeb8c2",
      ),
    },
  ],
  [
    "lantern|lamp|torch|miner|explorer",
    {
      drawing:
        line("M-50 -150C-50 -210 50 -210 50 -150", undefined, 12) +
        circle(0, -60, 130, "#ffd76a", `fill-opacity=".3"`) +
        shape("M-60 -150H60L74 30H-74Z", "#ffe9a8") +
        shape("M-80 30H80V64H-80ZM-72 -176H72V-146H-72Z", "#4a4f5e") +
        flat("M0 -110C40 -60 30 0 0 10C-30 0 -40 -60 0 -110Z", "#f5862e"),
    },
  ],
  [
    "telescope|astronomer|stargazer",
    {
      drawing: group(
        "rotate(38)",
        shape("M-30 -250H30V60H-30Z", "#c79a3a") +
          shape("M-46 -300H46V-240H-46Z", "#8a6a2c") +
          shape("M-22 60H22V130H-22Z", "#8a6a2c"),
      ),
    },
  ],
];
