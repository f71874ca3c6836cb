const MIB = 1_048_576;

/** Calls of inline capabilities whose inputs are as hard on a process as they may be, and what becomes of them. */
export const LARGE_CALLS: readonly {
  readonly what: string;
  readonly slug: string;
  readonly body: () => string;
}[] = [
  {
    what: "obs-migrate with 100,000 small files",
    slug: "obs-migrate",
    body: () =>
      JSON.stringify({
        files: Object.fromEntries(Array.from({ length: 100_000 }, (_, nth) => [`f${nth}.json`, "{}"])),
      }),
  },
  {
    what: "obs-migrate with a body of 8 MiB",
    slug: "obs-migrate",
    body: () => {
      const sources = Array.from({ length: 60_000 }, (_, nth) => ({
        id: "image_source",
        name: `S${nth}`,
        settings: { file: `/Users/me/Pictures/${nth % 1_000}.png` },
      }));
      return JSON.stringify({ files: { "Big.json": JSON.stringify({ sources }, null, 1) } }).padEnd(8 * MIB);
    },
  },
  {
    what: "safety-scrub with 1 MiB of eyJhbGciOi.",
    slug: "safety-scrub",
    body: () => {
      const start = '{"text":"';
      return `${start}${"eyJhbGciOi.".repeat(Math.floor((MIB - start.length - 2) / 11))}"}`;
    },
  },
];
