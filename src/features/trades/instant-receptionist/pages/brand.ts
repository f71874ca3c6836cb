/** The colours of a page, as `#rrggbb`. */
export type Brand = {
  /** On light pages: behind white text, and as text on white and on the page. */
  readonly solid: string;
  /** On dark pages: behind dark text, and as text on the page and on cards. */
  readonly bright: string;
};

/** What a brand colour stands against; the style uses these and no others. */
export const GROUND = { page: "#f4f5f8", card: "#ffffff", darkPage: "#0f1217", darkCard: "#191e26" } as const;

/** WCAG 2.2, 1.4.3 asks for 4.5. */
const CONTRAST = 5;
const CHROMA = 0.145;
const STEP = 0.005;
/** Yellows that are dark enough for white text are mud: this part of the circle, in degrees, is left out. */
const MUD = { from: 70, to: 130 };

/** The brand of a name: a hue from its letters, as light or dark as makes it readable. The same for the same name. */
export function brandOf(name: string): Brand {
  const clean = hashOf(name.normalize("NFC").toLowerCase()) % (360 - (MUD.to - MUD.from));
  const hue = clean < MUD.from ? clean : clean + MUD.to - MUD.from;
  const { page, darkCard } = GROUND;
  return {
    solid: readable(hue, 0.6, -STEP, page),
    bright: readable(hue, 0.6, STEP, darkCard),
  };
}

/** The first colour of a hue, from a lightness on in steps, that stands out from the ground. */
function readable(hue: number, from: number, step: number, ground: string): string {
  for (let lightness = from; ; lightness += step) {
    const colour = oklch(lightness, hue);
    if (contrast(colour, ground) >= CONTRAST) return colour;
  }
}

/** FNV-1a, over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** OKLCH (CSS Color 4, 8.4 and the code of section 18) in sRGB, with less chroma where sRGB has no such colour. */
function oklch(lightness: number, hue: number): string {
  for (let chroma = CHROMA; ; chroma = Math.max(0, chroma - STEP)) {
    const a = chroma * Math.cos((hue * Math.PI) / 180);
    const b = chroma * Math.sin((hue * Math.PI) / 180);
    const rgb = oklabToLinear(lightness, a, b);
    if (chroma === 0 || rgb.every((part) => part >= 0 && part <= 1)) return hexOf(rgb);
  }
}

function oklabToLinear(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function hexOf(linear: readonly number[]): string {
  const parts = linear.map((part) => {
    const within = Math.min(1, Math.max(0, part));
    const encoded = within <= 0.0031308 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255).toString(16).padStart(2, "0"); // prettier-ignore
  });
  return `#${parts.join("")}`;
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(a: string, b: string): number {
  const [brighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
