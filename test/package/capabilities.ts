import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const VECTORS = ["a", "b c", "d"].map((text) => ({ input: { text }, expect: {} }));

const declaration = (slug: string, pool: string): string => `
import { defineCapability, field, mesh, z } from "meshforge/capability";

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

const handler = (result: string, extension: string): string => `
import { defineHandler } from "meshforge/capability";
import declaration from "./index.${extension}";

export default defineHandler(declaration, ({ text }) => ({ words: ${result} }));
`;

/** Adds to what all calls counted. */
const STATE_TOOL = `
import { defineStateTool } from "meshforge/capability";
import declaration from "./index.js";

export default defineStateTool(declaration, {
  documents: () => ({ sum: { kind: "words", key: "all" } }),
  decide: ({ sum }, { text }) => {
    const words = (sum?.body.words ?? 0) + text.split(" ").length;
    return { output: { words }, writes: { sum: { words } } };
  },
});
`;

const FILES = {
  "count-typed/index.ts": declaration("count-typed", "cam"),
  "count-typed/handler.ts": handler('text.split(" ").length', "ts"),
  // What must not compile: an output that the declaration does not allow.
  "count-typed/wrong.ts": handler("text", "ts").replace("export", "// @ts-expect-error -- a text\nexport"),
  "count-plain/index.js": declaration("count-plain", "inline"),
  "count-plain/handler.js": handler('text.split(" ").length', "js"),
  "count-shared/index.js": declaration("count-shared", "state"),
  "count-shared/decide.js": STATE_TOOL,
};

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

/**
 * Writes three capabilities of somebody else's below `folder`, one in TypeScript and two in JavaScript, and gives where
 * they are.
 */
export async function writeOutsideCapabilities(folder: string): Promise<string> {
  const root = join(folder, "capabilities");
  for (const slug of ["count-typed", "count-plain", "count-shared"]) {
    await mkdir(join(root, slug), { recursive: true });
    await writeFile(join(root, slug, "vectors.json"), JSON.stringify(VECTORS));
  }
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(root, path), text);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  return root;
}
