import type { Edit } from "./edits.ts";
import { migrateBindings } from "./hotkeys.ts";
import type { JsonValue } from "./json-text.ts";
import type { Migration } from "./migration.ts";
import { migratePaths } from "./paths.ts";
import { fileName, shown } from "./report.ts";
import { migrateSource } from "./sources.ts";

const LISTS = new Set(["sources", "groups", "transitions"]);
/** The devices of the audio settings stand beside the sources. */
const AUDIO_DEVICE = /^(?:DesktopAudio|AuxAudio)Device\d$/;

/** Whether a file is a scene collection: the one with a list of sources. */
export const isSceneCollection = (root: JsonValue): boolean =>
  root.get("sources")?.source.startsWith("[") === true;

/** Brings a scene collection to Windows. */
export function migrateSceneCollection(root: JsonValue, migration: Migration): Edit[] {
  const edits: Edit[] = [];
  for (const { key, value } of root.members()) {
    const name = key.string ?? "";
    if (LISTS.has(name)) for (const source of value.items()) migrateSource(source, migration, edits);
    else if (AUDIO_DEVICE.test(name)) migrateSource(value, migration, edits);
    else if (name === "quick_transitions") {
      for (const transition of value.items()) {
        const hotkeys = transition.get("hotkeys");
        const owner = transition.get("name")?.string ?? name;
        if (hotkeys !== undefined) migrateBindings(hotkeys, owner, migration, edits);
      }
    } else if (name === "modules") migrateScripts(value, migration, edits);
  }
  return edits;
}

function migrateScripts(modules: JsonValue, migration: Migration, edits: Edit[]): void {
  for (const script of modules.get("scripts-tool")?.items() ?? []) {
    const path = script.get("path");
    const name = path?.string;
    if (path === undefined || name === undefined) continue;
    migratePaths({ key: "path", holds: "path" }, path, "Scripts", migration, edits);
    if (!name.toLowerCase().endsWith(".py")) continue;
    migration.report.step(
      () =>
        `${fileName(migration.file)}: the script ${shown(name)} needs Python: choose its folder in Tools > Scripts.`,
    );
  }
}
