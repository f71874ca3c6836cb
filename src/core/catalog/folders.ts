import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { AppError, Refusal } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { RunRules } from "../runs/run-rules.ts";
import type { StateTool } from "../state/state-tool.ts";
import type { Capability, Vector } from "./capability.ts";
import { CATEGORIES, type Declaration, type Handler, POOLS } from "./define.ts";
import { parseInput } from "./input.ts";
import { offerFaults } from "./offer.ts";
import { findDeclarations, importDefault } from "./rooms.ts";
import { zodContract } from "./zod-contract.ts";

/** The name under which the service lists its own capabilities. */
const OWN_PROVIDER = "meshforge";

/** What a folder says of one capability. */
export type Declared = {
  readonly declaration: Declaration;
  readonly folder: string;
  readonly vectors: readonly Vector[];
};

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
export async function loadFolders(roots: readonly string[]): Promise<Capability[]> {
  const faults: string[] = [];
  const found: Capability[] = [];
  for (const folder of await findDeclarations(roots)) {
    try {
      found.push(...(await loadFolder(folder)).map(capabilityOf));
    } catch (error) {
      faults.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (faults.length > 0) throw new Error(`These capabilities cannot be listed:\n  ${faults.join("\n  ")}`);
  return found;
}

/** What a folder declares, as the platform sees it. */
export function capabilityOf({ declaration, folder, vectors }: Declared): Capability {
  const { slug, version, name, category, summary, pool, model, profile, offers } = declaration;
  return {
    slug,
    version,
    name,
    category,
    summary,
    provider: OWN_PROVIDER,
    reachable: "internal",
    reachableAt: null,
    pool,
    ...(model === undefined ? {} : { model }),
    timeoutMs: declaration.timeoutMs ?? LIMITS.timeoutMs,
    deadlineMs: declaration.deadlineMs ?? LIMITS.deadlineMs,
    maxBodyBytes: declaration.maxBodyBytes ?? LIMITS.bodyBytes,
    inlineBytes: declaration.inlineBytes ?? LIMITS.inlineInputBytes,
    profile,
    contract: zodContract(declaration),
    offers: offers.map((offer) => ({ name: slug, access: "paid", ...offer })),
    vectors,
    folder,
  };
}

/** Loads and checks what one folder declares, with its vectors, which hold for each of its capabilities. */
export async function loadFolder(folder: string): Promise<Declared[]> {
  const declared = await importDefault<Declaration | readonly Declaration[]>(join(folder, "index.ts"));
  const declarations = [declared].flat();
  if (declarations.length === 0 || !declarations.every(isDeclaration))
    throw new Error(
      "the default export of its index.ts is no capability: it must be defineCapability({ ... }), or a list of those",
    );
  const faults = declarations.flatMap(declarationFaults);
  if (declarations[0]?.slug !== basename(folder)) faults.unshift(`its slug is ${declarations[0]?.slug}`);
  if (faults.length > 0) throw new Error(faults.join("; "));
  const vectors = await loadVectors(folder, declarations);
  return declarations.map((declaration) => ({ declaration, folder, vectors }));
}

/** Loads the handler of a folder: the only import of what is heavy. */
export async function loadHandler(folder: string): Promise<Handler> {
  return await importDefault<Handler>(join(folder, "handler.ts"));
}

/** Loads the rules of a folder whose capability is a run. */
export async function loadRunRules(folder: string): Promise<RunRules> {
  return await importDefault<RunRules>(join(folder, "run.ts"));
}

/** Loads the rules of a folder whose capability is a state tool. */
export async function loadStateTool(folder: string): Promise<StateTool> {
  return await importDefault<StateTool>(join(folder, "decide.ts"));
}

/** Whether it was made by `defineCapability`, or at least looks like that: what JavaScript exports may be anything. */
const isDeclaration = (value: unknown): value is Declaration =>
  typeof value === "object" &&
  value !== null &&
  ["slug", "version", "name", "pool"].every(
    (name) => typeof (value as Record<string, unknown>)[name] === "string",
  ) &&
  ["offers", "input", "output"].every((name) => typeof (value as Record<string, unknown>)[name] === "object");

function declarationFaults({ slug, version, offers, pool, category }: Declaration): string[] {
  const faults: string[] = [];
  if (!SLUG.test(slug)) faults.push("a slug is 3 to 64 of a-z, 0-9 and -");
  if (!SEMVER.test(version)) faults.push(`version ${version} is not like 1.2.3`);
  if (!POOLS.includes(pool) || pool === "text") faults.push(`there is no pool ${pool}`);
  if (!CATEGORIES.includes(category)) faults.push(`there is no category ${category}`);
  return [...faults, ...offerFaults(offers)];
}

async function loadVectors(folder: string, declarations: readonly Declaration[]): Promise<readonly Vector[]> {
  const text = await readFile(join(folder, "vectors.json"), "utf8");
  const parsed = vectorsFile.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`vectors.json: ${z.prettifyError(parsed.error)}`);
  if (parsed.data.length < VECTORS_AT_LEAST)
    throw new Error(`vectors.json has fewer than ${VECTORS_AT_LEAST} vectors`);
  parsed.data.forEach((vector, index) => {
    try {
      for (const declaration of declarations) checkVector(declaration, vector);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`vector ${vector.name ?? index}: ${why}`, { cause: error });
    }
  });
  return parsed.data;
}

/** Throws for an input that the contract refuses, unless the vector expects just that. */
function checkVector(declaration: Declaration, { input, expect_error: expected }: Vector): void {
  try {
    parseInput(declaration, input);
  } catch (error) {
    const isExpected = (error instanceof AppError || error instanceof Refusal) && error.code === expected;
    if (!isExpected) throw error;
  }
}
