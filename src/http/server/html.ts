/** Markup that is safe to send: made by `html`, which escapes whatever is put into it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

type Part = Html | string | number | readonly Html[] | null;

/**
 * Markup with values in it: texts are escaped, for element content and for attributes in double quotes, markup and
 * lists of it are put in as they are, null is nothing.
 */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: markup }, ...parts.map(inMarkup)));
}

function inMarkup(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.toString();
  return Array.isArray(part) ? part.join("") : escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
