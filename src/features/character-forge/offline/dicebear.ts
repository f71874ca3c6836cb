import { createRequire } from "node:module";
import { Avatar, Style } from "@dicebear/core";

/**
 * The styles that are used. Each is under CC0 1.0, as LICENSE.md of @dicebear/styles 10.6 says: Open Peeps is a remix of
 * Pablo Stanley's, the others are DiceBear's own. Other styles of that package are under other terms.
 */
export const STYLES = ["open-peeps", "pixel-art", "voxel-bot", "critters", "sprouts"] as const;
export type StyleName = (typeof STYLES)[number];

export type AvatarOptions = Readonly<Record<string, string | number | readonly string[]>>;

const load = createRequire(import.meta.url);
const loaded = new Map<StyleName, Style>();

/** The definition of a style, as it was published. */
export const styleDefinition = (name: StyleName): unknown => load(`@dicebear/styles/${name}.json`);

/** The parts of an avatar's drawing in the style's own units, without background, frame and animation. */
export function avatarParts(name: StyleName, options: AvatarOptions): string {
  let style = loaded.get(name);
  if (style === undefined) {
    style = new Style(styleDefinition(name));
    loaded.set(name, style);
  }
  const svg = new Avatar(style, { animationVariant: "none", backgroundColor: [], ...options }).toString();
  return svg
    .replace(/^<svg[^>]*>/, "")
    .replace(/<metadata[^]*?<\/metadata>/, "")
    .replace(/<!--[^]*?-->/g, "")
    .replace(/<\/svg>$/, "");
}
