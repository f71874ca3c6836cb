import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { thumbnailOf, toPicture } from "../../../src/features/character-forge/picture.ts";
import { disc, figure, moving, noise, plain } from "./images.ts";

const HEAD = [255, 204, 153];
const BODY = [204, 51, 51];
const BACKGROUND = [0, 128, 128];

async function pngOf(bytes: Uint8Array): Promise<Uint8Array> {
  const picture = await toPicture(bytes);
  if ("unusable" in picture) throw new Error(`it ${picture.unusable}`);
  return picture.png;
}

/** The colour at a place given in parts of a thousand and twenty-four. */
async function colourAt(png: Uint8Array, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(png).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel];
}

const near = (actual: readonly number[], expected: readonly number[], within = 12): boolean =>
  actual.length === expected.length &&
  actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= within);

describe("toPicture", () => {
  it.each([
    ["PNG", () => figure(1024, 1024).png()],
    ["PNG with a palette", () => figure(512, 512).png({ palette: true })],
    ["PNG with 16 bits", () => figure(512, 512).toColourspace("rgb16").png()],
    ["JPEG", () => figure(2048, 2048).jpeg()],
    ["JPEG in CMYK", () => figure(512, 512).toColourspace("cmyk").jpeg()],
    ["WebP", () => figure(256, 256).webp()],
    ["GIF", () => figure(64, 64).gif()],
    ["AVIF", () => figure(512, 512).avif()],
    ["TIFF", () => figure(300, 300).tiff()],
  ])("makes a 1024 × 1024 PNG of a %s", async (_format, make) => {
    const png = await pngOf(await make().toBuffer());
    expect(await sharp(png).metadata()).toMatchObject({
      format: "png",
      width: 1024,
      height: 1024,
      channels: 3,
      depth: "uchar",
      space: "srgb",
    });
    expect(near(await colourAt(png, 512, 200), HEAD, 40)).toBe(true);
    expect(near(await colourAt(png, 512, 800), BODY, 40)).toBe(true);
  });

  it.each([
    [1024, 1536],
    [1536, 1024],
    [300, 1100],
  ])("cuts nothing off an image of %i × %i, and fills what is beside it", async (width, height) => {
    const png = await pngOf(await figure(width, height).png().toBuffer());
    expect(near(await colourAt(png, 512, width > height ? 200 : 40), HEAD)).toBe(true);
    expect(near(await colourAt(png, 512, width > height ? 820 : 985), BODY)).toBe(true);
    const edge = await colourAt(png, 3, width > height ? 3 : 512);
    expect(edge.some((value) => value > 20)).toBe(true);
  });

  it("leaves what is transparent transparent, also around an image that is no square", async () => {
    const png = await pngOf(await disc(400, 800));
    expect((await sharp(png).metadata()).channels).toBe(4);
    expect(await colourAt(png, 512, 512)).toEqual([0, 0, 0, 255]);
    expect((await colourAt(png, 3, 3))[3]).toBe(0);
    expect((await colourAt(png, 300, 3))[3]).toBe(0);
  });

  it("turns an image upright that says how it lies", async () => {
    const lying = await figure(600, 600).rotate(270).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(near(await colourAt(await pngOf(lying), 512, 200), HEAD)).toBe(true);
  });

  it("keeps the colours and drops the profile, the comments and the place where it was taken", async () => {
    const tagged = await figure(600, 600)
      .png()
      .withIccProfile("p3")
      .withExif({ IFD0: { Copyright: "somebody", ImageDescription: "secret" } })
      .toBuffer();
    const png = await pngOf(tagged);
    const { icc, exif, xmp, comments } = await sharp(png).metadata();
    expect([icc, exif, xmp, comments]).toEqual([undefined, undefined, undefined, undefined]);
    expect(Buffer.from(png).includes("secret")).toBe(false);
    expect(near(await colourAt(png, 512, 800), BODY)).toBe(true);
    expect(near(await colourAt(png, 30, 30), BACKGROUND)).toBe(true);
  });

  it("gives the same bytes for the same image", async () => {
    const image = await figure(700, 900).jpeg().toBuffer();
    expect(Buffer.from(await pngOf(image)).equals(await pngOf(image))).toBe(true);
  });

  it.each([
    ["nothing", async () => Buffer.alloc(0), "empty"],
    ["one pixel", () => noise(1, 1).png().toBuffer(), "only 1 × 1"],
    ["a strip", () => noise(1000, 70).png().toBuffer(), "far from a square"],
    ["one colour", () => plain(1024).png().toBuffer(), "a single colour"],
    [
      "one colour, with the noise of a JPEG",
      () => plain(1024).jpeg({ quality: 30 }).toBuffer(),
      "a single colour",
    ],
    ["one colour at half its strength", () => plain(512, 0.5).png().toBuffer(), "a single colour"],
    ["nothing but transparency", () => plain(512, 0).png().toBuffer(), "a single colour"],
    ["an animated GIF", async () => (await moving(3)).gif().toBuffer(), "moving"],
    ["an animated WebP", async () => (await moving(3)).webp().toBuffer(), "moving"],
    ["half a PNG", async () => half(await noise(512, 512).png().toBuffer()), "decoded"],
    ["half a JPEG", async () => half(await noise(512, 512).jpeg().toBuffer()), "decoded"],
    ["half a WebP", async () => half(await noise(512, 512).webp().toBuffer()), "decoded"],
    ["a PNG with a damaged middle", async () => damaged(await noise(512, 512).png().toBuffer()), "decoded"],
    ["the beginning of a PNG alone", async () => Buffer.from("\x89PNG\r\n\x1A\n", "latin1"), "decoded"],
    [
      "an SVG",
      async () =>
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
      "not a PNG",
    ],
    [
      "an SVG behind a byte order mark",
      async () => Buffer.from("\uFEFF<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "not a PNG",
    ],
    ["a PDF", async () => Buffer.from("%PDF-1.7\n"), "not a PNG"],
    ["a page", async () => Buffer.from("<!doctype html><p>502 Bad Gateway"), "not a PNG"],
    ["a text", async () => Buffer.from("I cannot draw that."), "not a PNG"],
    ["too many bytes", async () => Buffer.alloc(34_000_000), "larger than"],
    ["a PNG of 30000 × 30000", async () => bomb(30_000), "decoded"],
  ])("refuses %s", async (_what, make, why) => {
    const picture = await toPicture(await make());
    expect(picture).toEqual({ unusable: expect.stringContaining(why) });
  });
});

describe("thumbnailOf", () => {
  it("makes a WebP of 256 × 256", async () => {
    const small = await thumbnailOf(await pngOf(await figure(1024, 1024).png().toBuffer()));
    expect(await sharp(small).metadata()).toMatchObject({ format: "webp", width: 256, height: 256 });
    expect(near(await colourAt(small, 128, 50), HEAD, 20)).toBe(true);
  });
});

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));

function damaged(bytes: Buffer): Buffer {
  const middle = Math.floor(bytes.length / 2);
  return Buffer.from(bytes).fill(0x5a, middle, middle + 64);
}

/** The head of a PNG that claims to be so large; a decoder that believes it asks for gigabytes. */
function bomb(side: number): Buffer {
  const head = Buffer.alloc(33);
  head.write("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "latin1");
  head.writeUInt32BE(side, 16);
  head.writeUInt32BE(side, 20);
  head.set([8, 2, 0, 0, 0], 24);
  return head;
}
