import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The instructions of a capability: `prompt.md` beside its handler. */
export type Prompt = {
  /** Raised whenever the words change. */
  readonly version: number;
  readonly text: string;
};

const FRONT_MATTER = /^---\nversion: (\d+)\n---\n/;

/** Reads `prompt.md` of a capability's folder. It begins with its version, as front matter. Throws without one. */
export function loadPrompt(folder: string): Prompt {
  const file = readFileSync(join(folder, "prompt.md"), "utf8");
  const [head, version] = FRONT_MATTER.exec(file) ?? [];
  if (head === undefined) throw new Error(`prompt.md of ${folder} does not begin with its version`);
  return { version: Number(version), text: file.slice(head.length).trim() };
}
