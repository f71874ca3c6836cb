import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const VECTORS = ["a", "b c", "d"].map((text) => ({ input: { text }, expect: {} }));

const declaration = (slug: string, pool: string): string => `import { z } from "zod";
import { defineCapability, field, mesh } from "meshforge/capability";

export default defineCapability({
  slug: "${slug}",
  version: "1.0.0",
  name: "Somebody else's",
  category: "tooling",
  summary: "Counts words.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "${pool}",
  profile: { deterministic: true, typicalMs: 1, maximumMs: 100, sideEffects: [] },
  input: z.object({ text: z.string().min(1).register(field, { aliases: ["content"] }) }),
  output: z.object({ words: z.number().int() }),
});
`;

const handler = (extension: string): string => `import { defineHandler } from "meshforge/capability";
import declaration from "./index.${extension}";

export default defineHandler(declaration, ({ text }) => ({ words: text.split(" ").length }));
`;

/** What must not compile: an output that the declaration does not allow. */
const WRONG = `import { defineHandler } from "meshforge/capability";
import declaration from "./index.ts";

// @ts-expect-error -- the declaration says words, a number
export default defineHandler(declaration, ({ text }) => ({ words: text }));
`;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2024",
    module: "nodenext",
    types: [],
    allowImportingTsExtensions: true,
  },
  include: ["capabilities"],
};

/** Writes two capabilities of somebody else's below `folder`, in TypeScript and in JavaScript, and gives where. */
export async function writeOutsideCapabilities(folder: string): Promise<string> {
  const root = join(folder, "capabilities");
  for (const [slug, pool, extension] of [
    ["count-typed", "cam", "ts"],
    ["count-plain", "inline", "js"],
  ] as const) {
    await mkdir(join(root, slug), { recursive: true });
    await writeFile(join(root, slug, `index.${extension}`), declaration(slug, pool));
    await writeFile(join(root, slug, `handler.${extension}`), handler(extension));
    await writeFile(join(root, slug, "vectors.json"), JSON.stringify(VECTORS));
  }
  await writeFile(join(root, "count-typed", "wrong.ts"), WRONG);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  return root;
}
