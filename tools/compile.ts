import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { extname, join } from "node:path";

/**
 * Makes `dist` for the package: the programs compiled, with their declarations, and beside them what they read when they
 * run (SQL, prompts, vectors). The checkout itself runs as it stands and never looks there.
 */
const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const PROGRAMS = ["src", "workers", "queues"];
/** The launcher stands in the package as it is. */
const CODE = new Set([".ts", ".js"]);

rmSync(DIST, { recursive: true, force: true });
const { status } = spawnSync(join(ROOT, "tools/node_modules/.bin/tsc"), ["-p", "tsconfig.package.json"], {
  cwd: ROOT,
  stdio: "inherit",
});
if (status !== 0) throw new Error("The programs do not compile.");
for (const folder of PROGRAMS) {
  cpSync(join(ROOT, folder), join(DIST, folder), {
    recursive: true,
    filter: (path) => !CODE.has(extname(path)),
  });
}
