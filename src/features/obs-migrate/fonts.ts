import type { JsonValue } from "./json-text.ts";
import { quoted, type Report } from "./report.ts";

/** Fonts that every Windows 10 and 11 has (Microsoft, "Windows 11 font list"), in small letters. */
const ON_WINDOWS = new Set([
  "arial", "arial black", "bahnschrift", "calibri", "cambria", "candara", "cascadia code", "cascadia mono", "comic sans ms",
  "consolas", "constantia", "corbel", "courier new", "ebrima", "franklin gothic medium", "gabriola", "georgia", "impact",
  "ink free", "javanese text", "lucida console", "lucida sans unicode", "malgun gothic", "microsoft sans serif", "mv boli",
  "palatino linotype", "segoe print", "segoe script", "segoe ui", "segoe ui emoji", "segoe ui symbol", "sitka text",
  "sylfaen", "symbol", "tahoma", "times new roman", "trebuchet ms", "verdana", "webdings", "wingdings", "yu gothic",
]); // prettier-ignore

/** Says which font has to be installed, when Windows does not have it. */
export function fontStep(font: JsonValue | undefined, report: Report): void {
  const face = font?.get("face")?.string;
  if (face === undefined || face === "" || ON_WINDOWS.has(face.toLowerCase())) return;
  report.step(() => `Install the font ${quoted(face)} on Windows, or choose another where it is used.`);
}
