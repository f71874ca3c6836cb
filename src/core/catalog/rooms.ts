import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";
import { modulePath } from "../module-path.ts";

/** What a feature without capabilities may bring. */
const OTHER_FILES = ["routes.ts", "services.ts", "schedule.ts"];

/**
 * The rooms of features below some roots: each folder of a root is one. It declares capabilities in its own
 * `index.ts`, or, where it has none, in those of the folders below it, which are rooms too.
 */
export async function findRooms(roots: readonly string[]): Promise<string[]> {
  const features = (await Promise.all(roots.map(foldersOf))).flat();
  const rooms = await Promise.all(
    features.map(async (feature) =>
      declares(feature) ? [feature] : [feature, ...(await foldersOf(feature))],
    ),
  );
  return rooms.flat();
}

/**
 * The folders that declare capabilities, or should: a feature with neither a declaration nor anything else that the
 * platform looks for is a mistake, which importing its declaration tells.
 */
export async function findDeclarations(roots: readonly string[]): Promise<string[]> {
  const features = (await Promise.all(roots.map(foldersOf))).flat();
  const declaring = await Promise.all(
    features.map(async (feature) => {
      if (declares(feature)) return [feature];
      const inner = (await foldersOf(feature)).filter(declares);
      return inner.length > 0 || OTHER_FILES.some((file) => has(feature, file)) ? inner : [feature];
    }),
  );
  return declaring.flat();
}

/** The rooms that have a handler, by their names. */
export const handlerRooms = async (roots: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await findRooms(roots)).filter((room) => has(room, "handler.ts")).map((room) => [basename(room), room]),
  );

/** The default exports of this file in all rooms that have it, in the order of the rooms. */
export async function importFromRooms<T>(roots: readonly string[], file: string): Promise<T[]> {
  const found = (await findRooms(roots)).filter((room) => has(room, file));
  return await Promise.all(found.map(async (room) => await importDefault<T>(join(room, file))));
}

/**
 * The default export of a module, given as TypeScript, which may stand there compiled. Throws where there is none or the
 * module cannot be loaded, with its path.
 */
export async function importDefault<T>(path: string): Promise<T> {
  const file = modulePath(path);
  const module = await importFile<T>(file);
  if (module.default === undefined) throw new Error(`${file} has no default export`);
  return module.default;
}

async function importFile<T>(file: string): Promise<{ readonly default?: T }> {
  try {
    return (await import(pathToFileURL(file).href)) as { readonly default?: T };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be loaded: ${why}${commonJsNote(file, error)}`, { cause: error });
  }
}

/** `npm init -y` makes packages whose files are CommonJS, in which Node finds `import` and `export` to be faults. */
function commonJsNote(file: string, error: unknown): string {
  const isModule =
    /import statement|Unexpected token 'export'|module syntax|import\.meta|exports is not defined/;
  if (!(error instanceof Error) || !isModule.test(error.message)) return "";
  const manifest = findPackageJSON(pathToFileURL(file).href);
  return `. Capabilities are ES modules: ${manifest === undefined ? "their package.json needs" : `set in ${manifest}`} "type": "module".`;
}

/** Whether a room has this file, as TypeScript or compiled. */
export const has = (room: string, file: string): boolean => existsSync(modulePath(join(room, file)));

const declares = (folder: string): boolean => has(folder, "index.ts");

async function foldersOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The folder of capabilities ${root} cannot be read (${error.code}).`, { cause: error });
  });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name))
    .sort();
}
