import { readdirSync, readFileSync } from "node:fs";

/** A regular expression of the project, as it is written. */
export type Pattern = { readonly file: string; readonly body: string; readonly flags: string };

/** Every regular expression of the sources under a folder of `src/capabilities`. */
export function patternsIn(slug: string): Pattern[] {
  const folder = new URL(`../../src/capabilities/${slug}/`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => patternsOf(file, readFileSync(new URL(file, folder), "utf8")));
}

/** Found between slashes, on one line, outside comments; a slash that divides has blanks around it. */
function patternsOf(file: string, source: string): Pattern[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const literals = code.matchAll(
    /(?<=[(=,:!&\s[])\/(?=\S)((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gimsuvy]*)(?=[\s.,;)\]}])/g,
  );
  return [...literals].map(([, body = "", flags = ""]) => ({ file, body, flags }));
}
