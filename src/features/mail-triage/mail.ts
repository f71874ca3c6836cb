import PostalMime, { addressParser, decodeWords } from "postal-mime";
import { cutCodePoints } from "../../core/catalog/input.ts";
import { ownWords } from "./own-words.ts";
import { textOfHtml } from "./plain-text.ts";

/** A message, as far as its triage needs it. Texts are empty where nothing was given. */
export type Mail = {
  readonly subject: string;
  /** The sender's name, else address; empty when unknown. */
  readonly sender: string;
  /** The sender's address in small letters. */
  readonly address: string;
  /** What the sender wrote: plain text without quotations, forwarded mail and signature. */
  readonly words: string;
  /** Header values by their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  /** The media types of what is attached. */
  readonly attached: readonly string[];
};

export type MailFields = {
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly from?: string | undefined;
  readonly listUnsub?: string | undefined;
  readonly precedence?: string | undefined;
  readonly autoSubmitted?: string | undefined;
  readonly message?: string | undefined;
};

type Read = {
  readonly body: string;
  readonly headers: Map<string, string>;
  readonly attached: readonly string[];
};

/** Fields that every mail program writes: a text that begins with lines of such names is a raw mail. */
const KNOWN_FIELD =
  /^(?:from|to|cc|subject|date|received|return-path|message-id|mime-version|content-type|reply-to|delivered-to|sender|list-[a-z-]{2,20}|precedence|auto-submitted|x-[a-z-]{2,40}):/im;
const FIELD_LINE = /^[!-9;-~]{1,76}:|^[ \t]/;
/** A text with more lines before the first empty one is no mail. */
const MOST_HEADER_LINES = 500;
const FIELD_CHARS = 1_000;

/** Puts a message together from the fields that are given and, where one is missing, from the raw mail. */
export async function readMail(fields: MailFields): Promise<Mail> {
  const { body, headers, attached } = await readMessage(fields.message ?? "");
  const given = {
    subject: fields.subject,
    from: fields.from,
    "list-unsubscribe": fields.listUnsub,
    precedence: fields.precedence,
    "auto-submitted": fields.autoSubmitted,
  };
  for (const [name, value] of Object.entries(given))
    if (isFilled(value)) headers.set(name, cutCodePoints(value, FIELD_CHARS));
  const [sender] = addressParser(headers.get("from") ?? "");
  const address = sender?.address?.toLowerCase() ?? "";
  return {
    subject: decodeWords(headers.get("subject") ?? "").trim(),
    sender: decodeWords(sender?.name ?? "").trim() || address,
    address,
    words: ownWords(textOfHtml(isFilled(fields.body) ? fields.body : body)),
    headers,
    attached,
  };
}

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim() !== "";

/** Without a block of header lines the whole is what was written. */
async function readMessage(message: string): Promise<Read> {
  const plain = { body: message, headers: new Map<string, string>(), attached: [] };
  if (!hasHeaders(message)) return plain;
  try {
    const { headers, text, html, attachments } = await PostalMime.parse(message.trimStart());
    return {
      body: isFilled(text) ? text : (html ?? ""),
      // Of a field that is there twice the first counts: those that travel with a mail are put before.
      headers: new Map(
        headers.toReversed().map(({ key, value }) => [key, cutCodePoints(value, FIELD_CHARS)]),
      ),
      attached: attachments.map(({ mimeType }) => mimeType),
    };
  } catch {
    // The parser gives up on parts nested too deep; what is there can still be read as text.
    return plain;
  }
}

function hasHeaders(message: string): boolean {
  const lines = message.trimStart().split(/\r?\n/, MOST_HEADER_LINES + 1);
  const end = lines.indexOf("");
  if (end < 0 && lines.length > MOST_HEADER_LINES) return false;
  const block = lines.slice(0, end < 0 ? undefined : end);
  const first = block[0]?.startsWith("From ") ? 1 : 0;
  return block.slice(first).every((line) => FIELD_LINE.test(line)) && KNOWN_FIELD.test(block.join("\n"));
}
