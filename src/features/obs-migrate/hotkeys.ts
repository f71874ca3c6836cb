import type { Edit } from "./edits.ts";
import type { JsonValue } from "./json-text.ts";
import type { Migration } from "./migration.ts";
import { fileName, quoted } from "./report.ts";

/** The Command key of macOS: Windows has Control in its place. */
const COMMAND = "command";
const CONTROL = "control";

/** Puts Control in the place of Command in a list of key bindings; where both are asked for, a person has to choose. */
export function migrateBindings(
  bindings: JsonValue,
  owner: string,
  { file, report, look }: Migration,
  edits: Edit[],
): void {
  for (const binding of bindings.items()) {
    look();
    const key = binding.get("key")?.string;
    const command = [...binding.members()].find((member) => member.key.string === COMMAND);
    if (key === undefined || command?.value.source !== "true") continue;
    if (binding.get(CONTROL) !== undefined) {
      report.step(
        () =>
          `${fileName(file)}: the hotkey ${quoted(key)} of ${quoted(owner)} uses Command and Control; choose another.`,
      );
      continue;
    }
    edits.push({ start: command.key.start, end: command.key.end, text: JSON.stringify(CONTROL) });
    report.change(() => `${fileName(file)}: hotkey ${quoted(key)} of ${quoted(owner)}`, COMMAND, CONTROL);
  }
}
