import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { type Capability, CATEGORIES, type Handler, POOLS } from "./define.ts";
import { parseInput } from "./input.ts";
import { findDeclarations, importDefault } from "./rooms.ts";

/** A golden vector: an input, and either what its output must hold or the code of the failure that it must end with. */
export type Vector = {
  readonly name?: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect?: Readonly<Record<string, unknown>> | undefined;
  readonly expect_error?: string | undefined;
};

/** A capability with what its folder holds besides the declaration. */
export type Listed = {
  readonly capability: Capability;
  readonly folder: string;
  readonly vectors: readonly Vector[];
};

/** All capabilities, by slug, in the order of their slugs. */
export type Registry = ReadonlyMap<string, Listed>;

const vectorsFile = z.array(
  z
    .strictObject({
      name: z.string().optional(),
      input: z.record(z.string(), z.unknown()),
      expect: z.record(z.string(), z.unknown()).optional(),
      expect_error: z.string().min(1).optional(),
    })
    .refine((vector) => (vector.expect === undefined) !== (vector.expect_error === undefined), {
      message: "a vector has either expect or expect_error",
    }),
);

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/;
const SEMVER = /^\d+\.\d+\.\d+$/;
const VECTORS_AT_LEAST = 3;

/**
 * Finds every capability that the rooms below `roots` declare. Handlers are not imported.
 * Throws one error that names every folder at fault and why.
 */
export async function loadRegistry(roots: readonly string[]): Promise<Registry> {
  const folders = await findDeclarations(roots);
  const faults: string[] = [];
  const found: Listed[] = [];
  for (const folder of folders) {
    try {
      found.push(...(await loadDeclaration(folder)));
    } catch (error) {
      faults.push(`${basename(folder)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const registry = new Map<string, Listed>();
  for (const listed of found.sort((a, b) => (a.capability.slug < b.capability.slug ? -1 : 1))) {
    const { slug } = listed.capability;
    const other = registry.get(slug);
    if (other !== undefined)
      faults.push(`${slug}: two folders have this slug, ${other.folder} and ${listed.folder}`);
    registry.set(slug, listed);
  }
  if (faults.length > 0) throw new Error(`These capabilities cannot be listed:\n  ${faults.join("\n  ")}`);
  return registry;
}

/** Loads and checks what one folder declares, with its vectors, which hold for each of its capabilities. */
export async function loadDeclaration(folder: string): Promise<Listed[]> {
  const declared = await importDefault<Capability | readonly Capability[]>(join(folder, "index.ts"));
  const capabilities = [declared].flat();
  const faults = capabilities.flatMap(declarationFaults);
  if (capabilities[0]?.slug !== basename(folder)) faults.unshift(`its slug is ${capabilities[0]?.slug}`);
  if (faults.length > 0) throw new Error(faults.join("; "));
  const vectors = await loadVectors(folder, capabilities);
  return capabilities.map((capability) => ({ capability, folder, vectors }));
}

/** Loads the handler of a folder: the only import of what is heavy. */
export async function loadHandler(folder: string): Promise<Handler> {
  return await importDefault<Handler>(join(folder, "handler.ts"));
}

function declarationFaults(capability: Capability): string[] {
  const faults: string[] = [];
  const { slug, version, listings, pool, category } = capability;
  if (!SLUG.test(slug)) faults.push("a slug is 3 to 64 of a-z, 0-9 and -");
  if (!SEMVER.test(version)) faults.push(`version ${version} is not like 1.2.3`);
  if (!POOLS.includes(pool)) faults.push(`there is no pool ${pool}`);
  if (!CATEGORIES.includes(category)) faults.push(`there is no category ${category}`);
  for (const [listing, { price }] of Object.entries(listings)) {
    if (!Number.isSafeInteger(price.amount) || price.amount < 0) {
      faults.push(`the ${listing} price ${price.amount} is not a whole number`);
    }
  }
  if (listings.marketplace.price.currency !== "MESH") faults.push("the marketplace price is not in MESH");
  if (listings.toolApi !== undefined && listings.toolApi.price.currency !== "USD") {
    faults.push("the tool API price is not in USD");
  }
  return faults;
}

async function loadVectors(folder: string, capabilities: readonly Capability[]): Promise<readonly Vector[]> {
  const text = await readFile(join(folder, "vectors.json"), "utf8");
  const parsed = vectorsFile.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`vectors.json: ${z.prettifyError(parsed.error)}`);
  if (parsed.data.length < VECTORS_AT_LEAST)
    throw new Error(`vectors.json has fewer than ${VECTORS_AT_LEAST} vectors`);
  parsed.data.forEach((vector, index) => {
    try {
      for (const capability of capabilities) parseInput(capability, vector.input);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`vector ${vector.name ?? index}: ${why}`, { cause: error });
    }
  });
  return parsed.data;
}
