import { fileURLToPath } from "node:url";
import type { Declaration, HandlerContext } from "../../src/core/catalog/define.ts";
import { parseInput } from "../../src/core/catalog/input.ts";
import type { Vector } from "../../src/core/catalog/capability.ts";
import { loadFolder, loadHandler } from "../../src/core/catalog/folders.ts";
import { findDeclarations } from "../../src/core/catalog/rooms.ts";
import type { Replay } from "../../src/core/catalog/vectors.ts";
import { InputFault } from "../../src/core/errors.ts";
import { handlerContext } from "./handler-context.ts";

/** A capability whose handler a test calls in its own process: its contract, its run and its vectors. */
export type TestedCapability = {
  readonly capability: Declaration;
  readonly vectors: readonly Vector[];
  /** What a body becomes before the handler gets it; throws as the API refuses. */
  readonly parse: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The output for a body, checked against its schema. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into outputs freely
  readonly run: (body: Readonly<Record<string, unknown>>, own: Partial<HandlerContext>) => Promise<any>;
  /** How a run ends: with an output, or with the code of the input's fault. */
  readonly replay: (body: Readonly<Record<string, unknown>>, own: Partial<HandlerContext>) => Promise<Replay>;
};

const folders = await findDeclarations([fileURLToPath(new URL("../../src/features", import.meta.url))]);
const declared = (await Promise.all(folders.map(loadFolder))).flat();

/** Loads one of the service's own capabilities. */
export async function testedCapability(slug: string): Promise<TestedCapability> {
  const listed = declared.find(({ declaration }) => declaration.slug === slug);
  if (listed === undefined) throw new Error(`there is no capability ${slug}`);
  const { declaration: capability, vectors } = listed;
  const handler = await loadHandler(listed.folder);
  const parse: TestedCapability["parse"] = (body) => parseInput(capability, body);
  const run: TestedCapability["run"] = async (body, own) =>
    capability.output.parse(await handler(parse(body), handlerContext({ capability, ...own })));
  return {
    capability,
    vectors,
    parse,
    run,
    replay: async (body, own) => {
      try {
        return { output: await run(body, own) };
      } catch (error) {
        if (error instanceof InputFault) return { error: error.code };
        throw error;
      }
    },
  };
}
