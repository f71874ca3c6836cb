import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** Folders whose folders are rooms. */
const HOUSES = ["src", "src/core", "src/http", "src/adapters"];

const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
const rooms = new Set(pathsIn(text.slice(text.indexOf("## Which room"))));

/** The paths of the program that a part of the page names; `src/features/<name>` is the room of all features. */
function pathsIn(part: string): string[] {
  return [...part.matchAll(/`((?:src|queues|workers)(?:\/[^`<]+)?)(?:\/<name>)?`/g)].map(
    ([, path = ""]) => path,
  );
}

/** The folders in a folder that hold something: git keeps no empty ones. */
const foldersIn = (house: string): string[] =>
  readdirSync(join(ROOT, house), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(ROOT, house, entry.name)).length > 0)
    .map((entry) => `${house}/${entry.name}`);

describe("docs/architecture.md", () => {
  it.each([...new Set(pathsIn(text))])("names what is there: %s", (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  it.each(HOUSES.flatMap(foldersIn).filter((folder) => !HOUSES.includes(folder)))(
    "has a room for %s",
    (folder) => {
      expect(rooms).toContain(folder);
    },
  );
});
