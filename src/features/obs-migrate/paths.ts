import type { Edit } from "./edits.ts";
import type { JsonValue } from "./json-text.ts";
import type { Migration } from "./migration.ts";
import { fileName, quoted, shown } from "./report.ts";
import type { PathSetting } from "./source-kinds.ts";
import { fileUrl, foreignFileUrl, isForeignPath } from "./windows-path.ts";

/** Up to where a URL goes inside a style sheet. */
const URL_IN_STYLE = /file:\/\/[^\s"'()<>\\]+/gi;

/** Rewrites the paths that a setting of a source holds. */
export function migratePaths(
  setting: PathSetting,
  value: JsonValue,
  source: string,
  migration: Migration,
  edits: Edit[],
): void {
  if (setting.holds === "list") {
    for (const item of value.items()) {
      migration.look();
      const entry = item.get("value");
      if (entry !== undefined) migratePath({ ...setting, holds: "path" }, entry, source, migration, edits);
    }
    return;
  }
  migratePath(setting, value, source, migration, edits);
}

function migratePath(
  { key, holds }: PathSetting,
  value: JsonValue,
  source: string,
  { file, media, report, look }: Migration,
  edits: Edit[],
): void {
  const text = value.string;
  if (text === undefined || text === "") return;
  const where = (): string => `${fileName(file)}: ${quoted(source)} ${key}`;
  const path = (from: string): string | undefined => {
    look();
    const to = media.place(from);
    if (to === undefined) report.step(() => `${where()}: ${shown(from)} names no file; choose it again.`);
    return to;
  };
  const to = holds === "style sheet" ? inStyle(text, path) : inPath(text, path);
  if (to === text) return;
  edits.push({ start: value.start, end: value.end, text: JSON.stringify(to) });
  report.change(where, text, to);
}

type Place = (path: string) => string | undefined;

const inPath = (text: string, place: Place): string =>
  isForeignPath(text) ? (place(text) ?? text) : inUrl(text, place);

function inUrl(text: string, place: Place): string {
  const found = foreignFileUrl(text);
  const placed = found === undefined ? undefined : place(found.path);
  return found === undefined || placed === undefined ? text : `${fileUrl(placed)}${found.rest}`;
}

const inStyle = (text: string, place: Place): string =>
  text.replace(URL_IN_STYLE, (url) => inUrl(url, place));
