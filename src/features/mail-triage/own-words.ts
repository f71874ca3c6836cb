import { cutCodePoints } from "../../core/catalog/input.ts";

/** A person who wants something says so early; what comes after this many characters is not read. */
const LONGEST_READ = 20_000;

/** Lines after which somebody else speaks: quoted and forwarded mail, as mail programs begin them in many languages. */
const OTHERS_BEGIN = [
  /^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato)/i,
  /^begin forwarded message:/i,
  /^_{20,}$/,
  /^(?:on|am|le|el|il|op|em|w dniu|den) .{4,160}(?:wrote|schrieb.{0,80}|a écrit ?|escribió|ha scritto|schreef.{0,80}|escreveu|napisał\(?a?\)?|skrev.{0,80}):$/i,
  /^.{0,80}(?:写道|のメール)[:：]$/,
  /^(?:from|von|de|da): .{1,200}$/i,
];
const QUOTED = /^\s{0,8}[>|]/;
const SIGNATURE = /^-- ?$/;

/**
 * What the sender wrote: without quoted lines, without what follows the beginning of another mail, and without the
 * signature (RFC 3676 section 4.3).
 */
export function ownWords(text: string): string {
  const own: string[] = [];
  for (const line of cutCodePoints(text, LONGEST_READ).split(/\r?\n/)) {
    const trimmed = line.trim();
    if (SIGNATURE.test(line) || OTHERS_BEGIN.some((begin) => begin.test(trimmed))) break;
    if (!QUOTED.test(line)) own.push(trimmed);
  }
  return own.join("\n").trim();
}
