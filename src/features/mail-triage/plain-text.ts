const MARKUP = /<(?:html|body|p|div|br|table|span|a|td|b|i|ul|li|h[1-6])\b/i;
const HIDDEN = /<(style|script|head|title|blockquote)\b/gi;
const LINE_END = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b/gi;
const TAG = /<[^<>]{1,500}>/g;
/** More markup than this is not read. */
const LONGEST_HTML = 300_000;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of a mail that is HTML, without styles and quotations; any other text as it is. */
export function textOfHtml(text: string): string {
  if (!MARKUP.test(text)) return text;
  return withoutHidden(text.slice(0, LONGEST_HTML))
    .replace(LINE_END, "\n$&")
    .replace(TAG, " ")
    .replace(
      /&(?:#(\d{1,7})|([a-z]{2,6}));/gi,
      (entity, code: string | undefined, name: string | undefined) =>
        code === undefined ? (ENTITIES[name?.toLowerCase() ?? ""] ?? entity) : characterOf(Number(code)),
    );
}

/** Elements that nobody reads as the sender's words are left out, from their tag to the end of their name's last tag. */
function withoutHidden(html: string): string {
  const lower = html.toLowerCase();
  let visible = "";
  let at = 0;
  for (const match of html.matchAll(HIDDEN)) {
    if (match.index < at) continue;
    const close = `</${match[1]?.toLowerCase() ?? ""}`;
    const end = lower.indexOf(close, match.index);
    visible += html.slice(at, match.index);
    at = end < 0 ? html.length : end;
  }
  return visible + html.slice(at);
}

const characterOf = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
