import { InputFault } from "../../core/errors.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { ENCODER_SETTINGS } from "./encoders.ts";
import { type JsonValue, JsonText } from "./json-text.ts";
import { MediaFolder } from "./media-folder.ts";
import type { Migration } from "./migration.ts";
import { migrateProfile } from "./profile.ts";
import { fileName, Report, shown } from "./report.ts";
import { isSceneCollection, migrateSceneCollection } from "./scene-collection.ts";
import { windowsFileUrl } from "./windows-path.ts";

const MEBIBYTE = 1_048_576;
/** What comes out, in characters: a long media folder in very many places could otherwise be anything. */
const MAX_RESULT_CHARS = 32 * MEBIBYTE;
/** Sources, files, hotkeys ... in one call: it runs beside others, and must not hold them up. */
const MAX_THINGS = 300_000;
const ENCODER_FILE = /(?:^|[/\\])(?:stream|record)Encoder\.json$/i;
/** How a path of Windows begins in a JSON text, where a backslash stands twice. */
const WINDOWS_PATH = /[A-Za-z]:|\/\/|\\\\\\\\|file:/iy;

export type Migrated = {
  readonly files: Record<string, string>;
  readonly changes: string[];
  readonly manual_steps: string[];
};

/**
 * Brings the files of OBS Studio, by name, from macOS or Linux to Windows. Folders as `windowsFolder` gives them.
 * Files that are not known, or cannot be read, are given back as they are. Throws `InputFault` `too_many_things`,
 * `result_too_large`.
 */
export function migrate(
  files: Readonly<Record<string, string>>,
  folders: { readonly media: string; readonly recordings: string | undefined },
): Migrated {
  const report = new Report();
  const media = new MediaFolder(folders.media);
  const entries = Object.entries(files).map(([file, text]) => ({ file, text, json: jsonOf(file, text) }));
  for (const { json } of entries) reserveNames(json, media);
  let chars = 0;
  let things = 0;
  const look = (): void => {
    if (++things > MAX_THINGS) {
      throw new InputFault(
        "too_many_things",
        `These are more than ${MAX_THINGS} sources, files and hotkeys.`,
      );
    }
  };
  const migrated = entries.map(({ file, text, json }): [string, string] => {
    const edits = editsOf(text, json, { file, media, report, look, recordings: folders.recordings });
    chars += edits.reduce((sum, edit) => sum + edit.text.length, text.length);
    if (chars > MAX_RESULT_CHARS) {
      throw new InputFault("result_too_large", `The result is larger than ${MAX_RESULT_CHARS} characters.`);
    }
    return [file, applyEdits(text, edits)];
  });
  for (const [from, to] of media.moves) report.step(() => `Copy ${shown(from)} to ${shown(to)}.`);
  return { files: Object.fromEntries(migrated), changes: report.changes, manual_steps: report.steps };
}

const isProfile = (file: string): boolean => /\.ini$/i.test(file);

const jsonOf = (file: string, text: string): JsonText | undefined =>
  isProfile(file) ? undefined : JsonText.read(text);

/** Names that lie in the media folder already are not given to others. */
function reserveNames(json: JsonText | undefined, media: MediaFolder): void {
  for (const text of json?.stringsStarting(WINDOWS_PATH) ?? []) {
    media.reserve(windowsFileUrl(text) ?? text.replaceAll("\\", "/"));
  }
}

function editsOf(text: string, json: JsonText | undefined, migration: Migration): Edit[] {
  const { file, report } = migration;
  if (isProfile(file)) return migrateProfile(text, migration);
  const root = json?.root;
  if (root === undefined) {
    const why = /\.json$/i.test(file)
      ? "it is no JSON that can be read"
      : "it is no file of OBS that is known here";
    report.step(() => `${fileName(file)}: left as it is; ${why}.`);
    return [];
  }
  if (isSceneCollection(root)) return migrateSceneCollection(root, migration);
  if (ENCODER_FILE.test(file)) encoderSteps(root, migration);
  else if (root.get("settings")?.get("server") !== undefined) serviceSteps(root, migration);
  else report.step(() => `${fileName(file)}: left as it is; it is no file of OBS that is known here.`);
  return [];
}

/** The settings of an encoder are read by the encoder that the profile names; those of no use on Windows do no harm. */
function encoderSteps(root: JsonValue, { file, report }: Migration): void {
  const names = [...root.members()]
    .map(({ key }) => key.string ?? "")
    .filter((name) => ENCODER_SETTINGS.has(name));
  if (names.length === 0) return;
  report.step(
    () =>
      `${fileName(file)}: no encoder on Windows reads ${[...new Set(names)].join(", ")}; check its settings.`,
  );
}

function serviceSteps(root: JsonValue, { file, report }: Migration): void {
  if ((root.get("settings")?.get("key")?.string ?? "") === "") return;
  report.step(() => `${fileName(file)}: it holds your stream key; keep the file to yourself.`);
}
