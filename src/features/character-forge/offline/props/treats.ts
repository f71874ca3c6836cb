import type { PropTable } from "../props.ts";
import { circle, flat, line, rect, shape } from "../svg.ts";

/** Drinks, flowers, presents and what goes with a trade. */
export const TREATS: PropTable = [
  [
    "flask|potion|scientist|chemist|alchemist|witch",
    {
      drawing:
        shape(
          "M-34 -190H34V-90L100 60C108 90 90 104 70 104H-70C-90 104 -108 90 -100 60L-34 -90Z",
          "#e6f4f8",
          `fill-opacity=".9"`,
        ) +
        flat("M-66 -6H66L90 62C96 84 84 92 66 92H-66C-84 92 -96 84 -90 62Z", "#8ad05c") +
        circle(-20, 40, 12, "#d8f5b8") +
        circle(26, 18, 8, "#d8f5b8") +
        circle(10, 62, 9, "#d8f5b8"),
    },
  ],
  [
    "spatula|chef|cook|baker|pan|frying",
    {
      drawing:
        line("M0 120L0 -20", "#5b3a22", 26) +
        `<ellipse cx="0" cy="-120" rx="130" ry="108" fill="#3a3d4a" stroke="#14121a" stroke-width="11"/><ellipse cx="0" cy="-124" rx="100" ry="80" fill="#5a5e6d"/>` +
        flat("M-60 -130C-60 -180 0 -190 30 -170C70 -160 70 -110 40 -96C10 -70 -50 -86 -60 -130Z", "#fbfaf6") +
        circle(-2, -130, 24, "#f5b82e"),
    },
  ],
  [
    "stethoscope|doctor|nurse|medic",
    {
      drawing:
        shape("M-90 -110H90V100H-90Z", "#f4f2ee") +
        shape("M-36 -130H36V-96H-36Z", "#8d939e") +
        flat("M-16 -60H16V-24H52V8H16V44H-16V8H-52V-24H-16Z", "#d83a3a"),
      over: true,
    },
  ],
  [
    "balloon|birthday|party|clown",
    {
      drawing:
        line("M0 40C-20 -40 20 -100 0 -190", "#f4f2ee", 6) +
        shape("M0 -190C-110 -230 -120 -400 0 -410C120 -400 110 -230 0 -190Z", "#e0506a") +
        line("M-46 -330C-40 -360 -24 -374 -6 -378", "#ffffff", 12, `stroke-opacity=".8"`),
    },
  ],
  [
    "gift|present|santa|christmas",
    {
      drawing:
        shape("M-100 -110H100V90H-100Z", "#d83a3a") +
        flat("M-18 -104H18V84H-18ZM-94 -30H94V4H-94Z", "#f7d774") +
        shape(
          "M0 -112C-80 -130 -80 -200 -20 -180C0 -170 0 -140 0 -112C0 -140 0 -170 20 -180C80 -200 80 -130 0 -112Z",
          "#f7d774",
        ),
      over: true,
    },
  ],
  [
    "map|treasure map|traveler|traveller|adventurer",
    {
      drawing:
        shape("M-140 -100L-50 -70L50 -100L140 -70V90L50 60L-50 90L-140 60Z", "#f1dfb4") +
        line(
          "M-100 20C-60 -40 -20 40 30 -20C50 -40 70 -30 80 -20",
          "#b5562f",
          9,
          `stroke-dasharray="18 20"`,
        ) +
        line("M84 0L116 32M116 0L84 32", "#d83a3a", 12),
      over: true,
    },
  ],
  [
    "phone|smartphone|selfie|influencer",
    {
      drawing:
        shape("M-56 -150H56V70H-56Z", "#2a2833") +
        rect(-42, -130, 84, 176, "#7fb2e5") +
        circle(0, 58, 6, "#ffffff"),
      over: true,
    },
  ],
  [
    "fish|fisherman|angler|fishing",
    {
      drawing:
        line("M0 200L-120 -330", "#7a4a2b", 16) +
        line("M-120 -330C-200 -300 -230 -200 -230 -120", "#f4f2ee", 4) +
        shape(
          "M-290 -60C-260 -110 -200 -110 -170 -70L-130 -100V-10L-170 -44C-200 -10 -260 -10 -290 -60Z",
          "#6fb3d8",
        ),
    },
  ],
  [
    "basketball|ball|soccer|football",
    {
      drawing:
        circle(0, -40, 104, "#e8743b", `stroke="#14121a" stroke-width="11"`) +
        line(
          "M-104 -40H104M0 -144V64M-76 -112C-30 -70 -30 -10 -76 34M76 -112C30 -70 30 -10 76 34",
          undefined,
          8,
        ),
      over: true,
    },
  ],
];
