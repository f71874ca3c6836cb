import sharp, { type Sharp } from "sharp";

/** A figure before a background, as a drawing of this size. */
export function figure(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="teal"/>
    <rect x="35%" y="2%" width="30%" height="46%" fill="#ffcc99"/>
    <rect x="35%" y="48%" width="30%" height="50%" fill="#cc3333"/>
  </svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

/** A black disc before nothing. */
export const disc = (width: number, height: number): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="50%" cy="50%" r="30%"/></svg>`,
    ),
  )
    .png()
    .toBuffer();

/** Pixels that nothing compresses. */
export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });

/** One colour, as a whole picture; `alpha` from 0 to 1. */
export const plain = (side: number, alpha = 1): Sharp =>
  sharp({ create: { width: side, height: side, channels: 4, background: { r: 90, g: 140, b: 60, alpha } } });

/** A picture of `frames` pictures. */
export const moving = async (frames: number): Promise<Sharp> =>
  sharp(await Promise.all(Array.from({ length: frames }, () => noise(128, 128).png().toBuffer())), {
    join: { animated: true },
  });
