import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OfflineMethod } from "../core/models/offline.ts";

const SLUG = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;
const FILE = "offline.ts";

/**
 * The method of a task: the default export of `<slug>/offline.ts` in one of the folders of capabilities, imported when
 * it is first needed. Undefined where no folder has one. Throws for a file without a method.
 */
export async function findMethod(slug: string, roots: readonly string[]): Promise<OfflineMethod | undefined> {
  if (!SLUG.test(slug)) return undefined;
  const path = roots.map((root) => join(root, slug, FILE)).find((file) => existsSync(file));
  if (path === undefined) return undefined;
  const imported = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  if (typeof imported.default !== "function") throw new Error(`${path} has no method as its default export.`);
  return imported.default as OfflineMethod;
}
