/** A start tag: its name and the names of its attributes are in lower case. */
export type Tag = { readonly name: string; readonly attributes: ReadonlyMap<string, string> };

const OPENING = /<(?:!--|[a-zA-Z][^\s/>]*)/g;
const BLANK = /[\s/]*/y;
const SPACE = /\s*/y;
const ATTRIBUTE_NAME = /=?[^\s/>=]+/y;
const BARE_VALUE = /[^\s>]*/y;
/** Elements whose content is text, whatever it looks like (HTML, 13.2.5). */
const RAW_TEXT: ReadonlySet<string> = new Set([
  "script",
  "style",
  "textarea",
  "title",
  "xmp",
  "iframe",
  "noembed",
  "noframes",
]);
const REFERENCES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&#x27;": "'",
  "&#34;": '"',
  "&lt;": "<",
  "&gt;": ">",
};

/** A page is written by a stranger: no more than this is kept of it. */
const MAX_TAGS = 10_000;
const MAX_ATTRIBUTES = 100;

/** The start tags of these names in an HTML document, in order, in one pass. Nothing is executed or repaired. */
export function tagsOf(html: string, names: ReadonlySet<string>): Tag[] {
  const tags: Tag[] = [];
  const lower = html.toLowerCase();
  let at = 0;
  while (tags.length < MAX_TAGS) {
    OPENING.lastIndex = at;
    const [opening] = OPENING.exec(html) ?? [];
    if (opening === undefined) break;
    at = OPENING.lastIndex;
    if (opening === "<!--") {
      at = endOf(html.indexOf("-->", at), html);
      continue;
    }
    const name = opening.slice(1).toLowerCase();
    const { attributes, end } = attributesAt(html, at);
    if (names.has(name)) tags.push({ name, attributes });
    at = RAW_TEXT.has(name) ? endOf(lower.indexOf(`</${name}`, end), html) : end;
  }
  return tags;
}

const endOf = (index: number, html: string): number => (index < 0 ? html.length : index);

function attributesAt(html: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = start;
  for (;;) {
    at += lengthAt(BLANK, html, at);
    const nameChars = lengthAt(ATTRIBUTE_NAME, html, at);
    if (nameChars === 0) return { attributes, end: at + 1 };
    const name = html.slice(at, at + nameChars).toLowerCase();
    at += nameChars;
    const equals = at + lengthAt(SPACE, html, at);
    let value = "";
    if (html[equals] === "=") {
      at = equals + 1 + lengthAt(SPACE, html, equals + 1);
      ({ value, end: at } = valueAt(html, at));
    }
    // The first of two attributes of a name counts.
    if (!attributes.has(name) && attributes.size < MAX_ATTRIBUTES) attributes.set(name, value);
  }
}

function valueAt(html: string, at: number): { value: string; end: number } {
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const close = endOf(html.indexOf(quote, at + 1), html);
    return { value: resolved(html.slice(at + 1, close)), end: close + 1 };
  }
  const end = at + lengthAt(BARE_VALUE, html, at);
  return { value: resolved(html.slice(at, end)), end };
}

function lengthAt(pattern: RegExp, html: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(html)?.[0].length ?? 0;
}

const resolved = (value: string): string =>
  value.replaceAll(/&[#a-z0-9]{2,5};/gi, (reference) => REFERENCES[reference.toLowerCase()] ?? reference);
