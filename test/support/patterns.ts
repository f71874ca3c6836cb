import { readdirSync, readFileSync } from "node:fs";

/** A regular expression of the project, as it is written. */
export type Pattern = { readonly file: string; readonly body: string; readonly flags: string };

/** Every regular expression of the sources under a folder of `src`. */
export function patternsIn(folder: string): Pattern[] {
  const root = new URL(`../../src/${folder}/`, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => patternsOf(file, readFileSync(new URL(file, root), "utf8")));
}

/** Found between slashes, on one line, outside comments; a slash that divides has blanks around it. */
function patternsOf(file: string, source: string): Pattern[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const literals = code.matchAll(
    /(?<=[(=,:!&\s[])\/(?=\S)((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gimsuvy]*)(?=[\s.,;)\]}])/g,
  );
  return [...literals].map(([, body = "", flags = ""]) => ({ file, body, flags }));
}
