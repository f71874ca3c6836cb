import { captureFor, type Capture } from "./captures.ts";
import type { Edit } from "./edits.ts";
import { migrateBindings } from "./hotkeys.ts";
import type { JsonValue } from "./json-text.ts";
import type { Migration } from "./migration.ts";
import { migratePaths } from "./paths.ts";
import { fileName, quoted, shown } from "./report.ts";
import { isBuiltIn, PATH_SETTINGS, pluginOf, unversioned } from "./source-kinds.ts";
import { fontStep } from "./fonts.ts";
import { isForeignPath } from "./windows-path.ts";

/** Settings that are named when they cannot be carried over. */
const MAX_NAMED = 12;

/** The members of a source, a filter or a transition that matter here. */
type Source = {
  readonly name: string;
  readonly id: JsonValue | undefined;
  readonly versionedId: JsonValue | undefined;
  readonly settings: JsonValue | undefined;
};

/** Brings a source, a filter or a transition to Windows, with its filters and the transitions of its scene items. */
export function migrateSource(value: JsonValue, migration: Migration, edits: Edit[]): void {
  migration.look();
  const members = new Map<string | undefined, JsonValue>();
  for (const { key, value: member } of value.members()) members.set(key.string, member);
  const source: Source = {
    name: members.get("name")?.string ?? "",
    id: members.get("id"),
    versionedId: members.get("versioned_id"),
    settings: members.get("settings"),
  };
  migrateKind(source, migration, edits);
  for (const filter of members.get("filters")?.items() ?? []) migrateSource(filter, migration, edits);
  for (const hotkey of members.get("hotkeys")?.members() ?? []) {
    migrateBindings(hotkey.value, source.name, migration, edits);
  }
  if (unversioned(source.id?.string ?? "") !== "scene" && source.id?.string !== "group") return;
  for (const item of source.settings?.get("items")?.items() ?? []) migrateItem(item, migration, edits);
}

/** A scene item has transitions of its own for being shown and hidden. */
function migrateItem(item: JsonValue, migration: Migration, edits: Edit[]): void {
  migration.look();
  for (const key of ["show_transition", "hide_transition"]) {
    const transition = item.get(key);
    if (transition?.get("id") === undefined) continue;
    const name = transition.get("name")?.string ?? key;
    const settings = transition.get("transition");
    const versionedId = transition.get("versioned_id");
    migrateKind({ name, id: transition.get("id"), versionedId, settings }, migration, edits);
  }
}

function migrateKind(source: Source, migration: Migration, edits: Edit[]): void {
  const { name, settings } = source;
  const id = source.id?.string;
  if (id === undefined) return;
  const capture = captureFor(unversioned(id), settings?.get("type")?.source);
  if (capture !== undefined) return migrateCapture(source, id, capture, migration, edits);
  for (const setting of PATH_SETTINGS.get(unversioned(id)) ?? []) {
    const value = settings?.get(setting.key);
    if (value !== undefined) migratePaths(setting, value, name, migration, edits);
  }
  stepsFor(source, id, migration);
}

function migrateCapture(
  { name, id, versionedId, settings }: Source,
  oldId: string,
  capture: Capture,
  { file, report }: Migration,
  edits: Edit[],
): void {
  for (const member of [id, versionedId]) {
    if (member?.string === undefined) continue;
    edits.push({ start: member.start, end: member.end, text: JSON.stringify(capture.id) });
  }
  const where = (): string => `${fileName(file)}: ${quoted(name)}`;
  report.change(() => `${where()} id`, oldId, capture.id);
  const lost: string[] = [];
  for (const { key, value } of settings?.members() ?? []) {
    const setting = key.string ?? "";
    const renamed = capture.renamed?.[setting];
    if (renamed !== undefined && settings?.get(renamed) === undefined) {
      edits.push({ start: key.start, end: key.end, text: JSON.stringify(renamed) });
      report.change(() => `${where()} setting`, setting, renamed);
    } else if (setting === "device_id" && capture.id.startsWith("wasapi") && value.string !== undefined) {
      if (value.string === "default") continue;
      edits.push({ start: value.start, end: value.end, text: JSON.stringify("default") });
      report.change(() => `${where()} device_id`, value.string, "default");
      lost.push(`device_id ${shown(value.source)}`);
    } else if (lost.length < MAX_NAMED) lost.push(shown(setting));
  }
  const gone = lost.length === 0 ? "" : ` These settings do not carry over: ${lost.join(", ")}.`;
  report.step(() => `${where()} was ${oldId} and is now ${capture.id}: choose ${capture.choose}.${gone}`);
}

function stepsFor({ name, settings }: Source, id: string, { file, report }: Migration): void {
  const where = (): string => `${fileName(file)}: ${quoted(name)}`;
  const kind = unversioned(id);
  if (!isBuiltIn(id)) {
    const plugin = pluginOf(id);
    const needs = plugin === undefined ? `a plugin that knows ${quoted(id)}` : `the plugin ${plugin}`;
    const paths = foreignPaths(settings);
    const again = paths.length === 0 ? "" : ` Set again what holds a path: ${paths.join(", ")}.`;
    report.step(() => `${where()}: install ${needs} for Windows; its settings are left as they are.${again}`);
  }
  if (kind === "vlc_source")
    report.step(() => "Install VLC media player (64 bit): VLC sources play nothing without it.");
  if (kind === "vst_filter")
    report.step(() => `${where()}: choose the Windows version (DLL) of its VST plugin.`);
  if (kind === "window_capture" && settings?.get("owner_name") !== undefined) {
    report.step(
      () => `${where()}: choose the window again; owner_name, window_name and window are of macOS.`,
    );
  }
  if (kind === "browser_source" && settings?.get("is_local_file")?.source === "true") {
    report.step(
      () =>
        `${where()}: copy what its page loads from its own folder (scripts, styles, images) along with it.`,
    );
  }
  if (kind.startsWith("text_")) fontStep(settings?.get("font"), report);
}

/** The names of the settings that hold a path of another system. */
function foreignPaths(settings: JsonValue | undefined): string[] {
  const found: string[] = [];
  for (const { key, value } of settings?.members() ?? []) {
    if (found.length < MAX_NAMED && isForeignPath(value.string ?? "")) found.push(quoted(key.string ?? ""));
  }
  return found;
}
