import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DEFINE = new URL("../../src/core/catalog/define.ts", import.meta.url).href;
const ZOD = import.meta.resolve("zod");
const THREE_VECTORS = [1, 2, 3].map((n) => ({
  name: `n ${n}`,
  input: { text: `${n}` },
  expect: { text: `${n}` },
}));

/** An empty directory for capability folders. */
export const newRoot = (): Promise<string> => mkdtemp(join(tmpdir(), "meshforge-capabilities-"));

/** Writes a capability that echoes its text into `root/<folder>`; what is given replaces a part of the declaration. */
export async function writeCapability(
  root: string,
  folder: string,
  part: {
    readonly slug?: string;
    readonly version?: string;
    readonly pool?: string;
    readonly category?: string;
    /** Source text, as it stands in the declaration. */
    readonly price?: string;
    readonly offers?: string;
    readonly vectors?: unknown;
  } = {},
): Promise<void> {
  const path = join(root, folder);
  await mkdir(path, { recursive: true });
  const offers = part.offers ?? `[{ surface: "marketplace", price: ${part.price ?? "mesh(3)"} }]`;
  await writeFile(
    join(path, "index.ts"),
    `import { z } from ${JSON.stringify(ZOD)};
     import { defineCapability, mesh, usd } from ${JSON.stringify(DEFINE)};
     void usd;
     export default defineCapability({
       slug: ${JSON.stringify(part.slug ?? folder)}, version: ${JSON.stringify(part.version ?? "1.0.0")},
       name: "Written", category: ${JSON.stringify(part.category ?? "tooling")} as never,
       summary: "Written by a test.", offers: ${offers}, pool: ${JSON.stringify(part.pool ?? "inline")} as never,
       profile: { deterministic: true, typicalMs: 1, maximumMs: 1, sideEffects: [] },
       input: z.object({ text: z.string().min(1) }), output: z.object({ text: z.string() }),
     });`,
  );
  await writeFile(
    join(path, "handler.ts"),
    `import { defineHandler } from ${JSON.stringify(DEFINE)};
     import declaration from "./index.ts";
     export default defineHandler(declaration, ({ text }) => ({ text }));`,
  );
  await writeFile(join(path, "vectors.json"), JSON.stringify(part.vectors ?? THREE_VECTORS));
}
