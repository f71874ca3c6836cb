import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { styleDefinition, STYLES } from "../../../src/features/character-forge/offline/dicebear.ts";
import { draw, pictureOf } from "../../../src/features/character-forge/offline/draw.ts";

const SIZE = { width: 1_024, height: 1_024 };
const WIZARD = "a cheerful wizard with a long white beard and a staff in a snowy forest at night";
const PROMPTS = [
  WIZARD,
  "a pirate captain on the sea",
  "robot barista in a neon city",
  "a young woman with red hair and glasses reading a book in a library",
  "a cute orange fox in a forest in autumn",
  "a sleepy cactus in the desert",
  "pixel art hero with blonde hair",
  "an astronaut cat in space",
  "a knight with a sword and shield before a castle at sunset",
  "an angry dragon in a volcano",
  "",
  "東京のロボット 🤖",
];

describe("draw", () => {
  it("gives a PNG of the wanted size for every prompt, each another one", async () => {
    const hashes = new Set<string>();
    for (const prompt of PROMPTS) {
      const png = await draw(prompt, SIZE);
      expect(await sharp(png).metadata()).toMatchObject({ format: "png", ...SIZE });
      // A blank picture has hardly any entropy.
      expect((await sharp(png).stats()).entropy).toBeGreaterThan(1);
      hashes.add(createHash("sha256").update(png).digest("hex"));
    }
    expect(hashes.size).toBe(PROMPTS.length);
  });

  it("gives the same bytes for the same prompt, whatever its case and outer spaces", async () => {
    expect(await draw(WIZARD, SIZE)).toEqual(await draw(WIZARD, SIZE));
    expect(pictureOf(` ${WIZARD.toUpperCase()} `)).toBe(pictureOf(WIZARD));
  });

  it("draws in any size that is wanted", async () => {
    expect(await sharp(await draw("a cat", { width: 300, height: 200 })).metadata()).toMatchObject({
      width: 300,
      height: 200,
    });
  });

  it("puts no word of the prompt into the drawing", () => {
    const svg = pictureOf('"/><script>alert(1)</script><image href="http://evil.test/x"/> a cat');
    expect(svg).not.toMatch(/<script|evil|<image|alert/);
  });
});

const has = (prompt: string, colour: string): boolean => pictureOf(prompt).includes(colour);
const isCritter = (prompt: string): boolean => has(prompt, "dbcr-");
/** The robot's feet. */
const isBot = (prompt: string): boolean => has(prompt, "M36 119.4h20");

describe("the words of a prompt", () => {
  it("choose colours where they stand before a thing", () => {
    expect(has("a man with green hair in a red shirt", "#4faf5b")).toBe(true);
    expect(has("a man with green hair in a red shirt", "#d83a3a")).toBe(true);
    expect(has("a purple robot", "#8450c4")).toBe(true);
  });

  it("choose the figure: a robot, an animal and a person are drawn in styles of their own", () => {
    expect(
      ["a cat", "an astronaut cat", "a witch with a cat", "a robot cat", "a robot", "a man"].map(isCritter),
    ).toEqual([true, true, false, false, false, false]);
    expect(["a robot", "a robot with a man", "a man with a robot"].map(isBot)).toEqual([true, true, false]);
  });

  it("choose the scene, the time of day, the weather, the hat and what is held", () => {
    const plain = pictureOf("a man");
    const parts: [string, string][] = [
      ["a man in a forest", "5b3a22"],
      ["a man at night", "#0d1436"],
      ["a man at sunset", "#4b3b86"],
      ["a man in the rain", "#cfe6ff"],
      ["a man with a crown", "#f2c744"],
      ["a man with a sword", "#dfe5ee"],
      ["a man with an umbrella", "#e0506a"],
    ];
    for (const [prompt, mark] of parts) {
      expect(pictureOf(prompt), prompt).toContain(mark);
      expect(plain).not.toContain(mark);
    }
  });
});

it("every style that is used is under CC0 1.0, as its own file says", () => {
  for (const style of STYLES) {
    expect(styleDefinition(style)).toMatchObject({
      meta: { license: { name: "CC0 1.0", url: "https://creativecommons.org/publicdomain/zero/1.0/" } },
    });
  }
});
