import { existsSync } from "node:fs";

const SOURCE = /\.ts$/;

/**
 * Where a module stands that is found by its path and not by an import: `path` itself, which ends in `.ts`, or the
 * compiled `.js` beside it or in its place. A package holds only compiled ones, and Node runs no TypeScript in there.
 */
export function modulePath(path: string): string {
  const compiled = path.replace(SOURCE, ".js");
  return existsSync(compiled) ? compiled : path;
}
