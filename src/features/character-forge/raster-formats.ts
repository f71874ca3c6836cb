/** How files in formats of still pictures made of pixels begin: at which byte, with what. */
const BEGINNINGS: readonly (readonly (readonly [offset: number, bytes: string])[])[] = [
  [[0, "\x89PNG\r\n\x1A\n"]],
  [[0, "\xFF\xD8\xFF"]],
  [
    [0, "RIFF"],
    [8, "WEBP"],
  ],
  [[0, "GIF87a"]],
  [[0, "GIF89a"]],
  [[4, "ftypavif"]],
  [[4, "ftypmif1"]],
  [[0, "II*\0"]],
  [[0, "MM\0*"]],
];
const LONGEST_BEGINNING = 12;

/**
 * Whether bytes begin as a PNG, JPEG, WebP, GIF, AVIF or TIFF. Only such are handed to the decoder: an SVG or a PDF is
 * a program that draws, may point outside, and is nothing that an image model gives.
 */
export function isRasterImage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, LONGEST_BEGINNING)).toString("latin1");
  return BEGINNINGS.some((marks) => marks.every(([offset, mark]) => head.startsWith(mark, offset)));
}
