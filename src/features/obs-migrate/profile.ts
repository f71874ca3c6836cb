import { applyEdits, type Edit } from "./edits.ts";
import { advancedEncoder, type Encoder, simpleEncoder } from "./encoders.ts";
import { migrateBindings } from "./hotkeys.ts";
import { JsonText } from "./json-text.ts";
import type { Migration } from "./migration.ts";
import { fileName, quoted, shown } from "./report.ts";
import { isForeignPath, windowsFolder } from "./windows-path.ts";

/** What a line of a profile says. */
type Line = { readonly key: string; readonly value: string };

/** Gives the new value of a line; undefined keeps it as it is. */
type Rule = (line: Line, migration: Migration) => string | undefined;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["simpleoutput/filepath", recordingPath],
  ["advout/recfilepath", recordingPath],
  ["advout/fffilepath", recordingPath],
  ["simpleoutput/streamencoder", encoder(simpleEncoder)],
  ["simpleoutput/recencoder", encoder(simpleEncoder)],
  ["advout/encoder", encoder(advancedEncoder)],
  ["advout/recencoder", encoder(advancedEncoder)],
  ["advout/audioencoder", encoder(advancedEncoder)],
  ["advout/recaudioencoder", encoder(advancedEncoder)],
  ["audio/monitoringdeviceid", monitoringDevice],
  ["audio/monitoringdevicename", monitoringName],
]);

/** Brings a profile (`basic.ini`) to Windows, line by line; what is not known here keeps every byte. */
export function migrateProfile(text: string, migration: Migration): Edit[] {
  const edits: Edit[] = [];
  let section = "";
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const name = /^\uFEFF?[ \t]*\[([^\]]*)\]/.exec(line)?.[1];
    if (name !== undefined) section = name.trim().toLowerCase();
    else {
      const edit = migrateLine(line, section, migration);
      if (edit !== undefined)
        edits.push({ start: start + edit.start, end: start + edit.end, text: edit.text });
    }
    start = end + 1;
  }
  return edits;
}

function migrateLine(line: string, section: string, migration: Migration): Edit | undefined {
  const equals = line.indexOf("=");
  if (equals < 0 || line.trimStart().startsWith("#")) return undefined;
  const key = line.slice(0, equals).trim();
  // OBS compares sections and keys without regard to case.
  const rule = section === "hotkeys" ? hotkey : RULES.get(`${section}/${key.toLowerCase()}`);
  if (rule === undefined) return undefined;
  migration.look();
  const value = line.slice(equals + 1).trim();
  const changed = rule({ key, value }, migration);
  if (changed === undefined || changed === value) return undefined;
  if (rule !== hotkey)
    migration.report.change(() => `${fileName(migration.file)}: ${quoted(key)}`, value, changed);
  const start = equals + 1 + line.slice(equals + 1).indexOf(value);
  return { start, end: start + value.length, text: changed };
}

function recordingPath({ value }: Line, { file, recordings, report }: Migration): string | undefined {
  // As it is written there, a backslash stands twice.
  const current = windowsFolder(value.replaceAll("\\\\", "\\"));
  if (recordings !== undefined) return current === recordings ? undefined : recordings;
  if (isForeignPath(value)) {
    report.step(
      () =>
        `${fileName(file)}: recordings go to ${shown(value)}, which Windows does not have: choose a folder in Settings > Output, or give rec_path.`,
    );
  }
  return undefined;
}

function encoder(find: (id: string) => Encoder | undefined): Rule {
  return ({ key, value }, { file, report }) => {
    const found = find(value);
    if (found === undefined) return undefined;
    report.step(
      () =>
        `${fileName(file)}: ${quoted(value)} does not exist on Windows; ${key} is now ${found.id}. Check its settings in Settings > Output: ${found.hint}.`,
    );
    return found.id;
  };
}

function monitoringDevice({ value }: Line, { file, report }: Migration): string | undefined {
  if (value === "" || value === "default") return undefined;
  report.step(
    () =>
      `${fileName(file)}: audio is monitored on the default device now; it was ${shown(value)}. Choose it in Settings > Audio.`,
  );
  return "default";
}

function monitoringName({ value }: Line): string | undefined {
  return value === "" ? undefined : "Default";
}

/** The section of hotkeys holds their bindings as JSON. */
function hotkey({ key, value }: Line, migration: Migration): string | undefined {
  const bindings = JsonText.read(value)?.root.get("bindings");
  if (bindings === undefined) return undefined;
  const edits: Edit[] = [];
  migrateBindings(bindings, key, migration, edits);
  return applyEdits(value, edits);
}
