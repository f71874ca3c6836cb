import sharp, { type Sharp } from "sharp";
import { isRasterImage } from "./raster-formats.ts";

export const SIDE_PX = 1_024 as const;
const THUMBNAIL_PX = 256;
const THUMBNAIL_QUALITY = 80;

/** The largest picture that is read; hosted models give up to 16 million pixels and 30 MB. */
const MAX_BYTES = 33_554_432;
const MAX_PIXELS = 50_000_000;
const MAX_DECODING_S = 15;
/** In less, nobody can be made out. */
const MIN_SIDE_PX = 64;
/** How much longer one side may be: beyond it, the margins would be most of the picture. */
const MAX_RATIO = 4;

/**
 * How much the values of a channel differ, as a standard deviation of 0 to 255, in a picture on which nothing is: the
 * noise that JPEG leaves on a single colour is below a half of it.
 */
const FLAT = 1;

/** The margins beside a picture that is no square: what is in it, out of focus and darker. */
const MARGIN_BLUR_PX = 40;
const MARGIN_BRIGHTNESS = 0.8;

/** What is wrong with a picture; the sentence goes on from "the last one ...". */
export type Unusable = { readonly unusable: string };

type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

/**
 * Makes a PNG of 1024 × 1024 of an image in any raster format and of any size, upright, in sRGB, without metadata: the
 * same bytes for the same image. Nothing of it is cut away, for what sticks out of a square is a character's head or
 * feet: an image that is no square stands on an enlargement of itself, out of focus; one with transparent parts stays
 * transparent around. Gives what is wrong for what cannot be shown: no image, a moving one, one without a picture.
 */
export async function toPicture(bytes: Uint8Array): Promise<{ readonly png: Uint8Array } | Unusable> {
  if (bytes.length === 0) return { unusable: "was empty" };
  if (bytes.length > MAX_BYTES) return { unusable: `was larger than ${MAX_BYTES} bytes` };
  if (!isRasterImage(bytes)) return { unusable: "was not a PNG, JPEG, WebP, GIF, AVIF or TIFF" };
  try {
    const fault = await faultOfShape(bytes);
    if (fault !== undefined) return { unusable: fault };
    const figure = await decode(bytes);
    const { flat, transparent } = await look(figure);
    if (flat) return { unusable: "was a single colour" };
    return { png: await png(transparent ? onNothing(figure) : onItself(figure), transparent) };
  } catch {
    // Whatever the decoder says of it: these bytes are no picture.
    return { unusable: "could not be decoded" };
  }
}

/** A WebP of 256 × 256 of a square picture: a tenth of what a PNG would take. */
export function thumbnailOf(picture: Uint8Array): Promise<Uint8Array> {
  return sharp(picture).resize(THUMBNAIL_PX, THUMBNAIL_PX).webp({ quality: THUMBNAIL_QUALITY }).toBuffer();
}

const read = (bytes: Uint8Array): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" }).timeout({ seconds: MAX_DECODING_S });

/** What the head of a file tells already, before any pixel is decoded. */
async function faultOfShape(bytes: Uint8Array): Promise<string | undefined> {
  const { width, height, pages = 1 } = await read(bytes).metadata();
  if (pages > 1) return "was a moving picture";
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < MIN_SIDE_PX) return `was only ${width} × ${height}`;
  return longer > shorter * MAX_RATIO ? `was far from a square with ${width} × ${height}` : undefined;
}

/** Decodes all of an image, as large as it fits into the square: four channels of 8 bits in sRGB. */
async function decode(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await read(bytes)
    .autoOrient()
    .resize(SIDE_PX, SIDE_PX, { fit: "inside" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const canvas = ({ data, width, height }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels: 4 } });

async function look(figure: Pixels): Promise<{ readonly flat: boolean; readonly transparent: boolean }> {
  const { channels, isOpaque } = await canvas(figure).stats();
  const [red, green, blue, alpha] = channels;
  const shape = (alpha?.stdev ?? 0) >= FLAT;
  const seen = (alpha?.mean ?? 0) >= FLAT;
  const colours = [red, green, blue].some((channel) => (channel?.stdev ?? 0) >= FLAT);
  return { flat: !shape && !(seen && colours), transparent: !isOpaque };
}

const onNothing = (figure: Pixels): Sharp =>
  canvas(figure).resize(SIDE_PX, SIDE_PX, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } });

function onItself(figure: Pixels): Sharp {
  if (figure.width === figure.height) return canvas(figure);
  const { data, width, height } = figure;
  return canvas(figure)
    .resize(SIDE_PX, SIDE_PX, { fit: "cover" })
    .blur(MARGIN_BLUR_PX)
    .modulate({ brightness: MARGIN_BRIGHTNESS })
    .composite([{ input: data, raw: { width, height, channels: 4 } }]);
}

const png = (picture: Sharp, transparent: boolean): Promise<Uint8Array> =>
  (transparent ? picture : picture.removeAlpha()).png({ adaptiveFiltering: true }).toBuffer();
