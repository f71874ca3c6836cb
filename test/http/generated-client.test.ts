import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ciPackage } from "../support/ci-package.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const OPTIONS = [
  "--strict",
  "--noEmit",
  "--allowImportingTsExtensions",
  "--module",
  "nodenext",
  "--types",
  "",
];
const SKIPPED = "the types of a client made from the OpenAPI document";
const COMPILER = join(import.meta.dirname, "../../tools/node_modules/.bin/tsc");
const PROGRAM = join(import.meta.dirname, "client-program.ts.txt");
/** Two compilers under load. */
const COMPILE_MS = 120_000;

type Generator = {
  readonly default: (document: URL, options: { readonly defaultNonNullable: boolean }) => Promise<unknown>;
  readonly astToString: (types: unknown) => string;
};
const generator = await ciPackage<Generator>("openapi-typescript", SKIPPED);

describe.skipIf(generator === null || !existsSync(COMPILER))("a client in TypeScript", () => {
  let platform: TestPlatform;
  let folder: string;
  beforeAll(async () => {
    platform = await startTestPlatform({ pools: [] });
    folder = await mkdtemp(join(tmpdir(), "meshforge-client-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await platform.stop();
  });

  it(
    "has types with readable names for inputs, answers, errors, headers and events",
    async () => {
      if (generator === null) return;
      // A field that has a default may be left out of an input.
      const types = await generator.default(new URL(`${platform.baseUrl}/openapi.json`), {
        defaultNonNullable: false,
      });
      await writeFile(join(folder, "api.ts"), generator.astToString(types));
      await cp(PROGRAM, join(folder, "program.ts"));
      const { stdout, status } = spawnSync(COMPILER, [...OPTIONS, "program.ts"], {
        cwd: folder,
        encoding: "utf8",
      });
      expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
    },
    COMPILE_MS,
  );
});
