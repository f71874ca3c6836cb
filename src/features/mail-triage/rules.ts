import { cutCodePoints } from "../../core/catalog/input.ts";
import type { Mail } from "./mail.ts";
import {
  ABSENCE,
  AUTOMATED,
  BOUNCE,
  FIRST_PERSON,
  INQUIRY,
  NO_ANSWER_WANTED,
  PROMOTIONS,
  REQUESTS,
  ROBOT,
  TRANSACTIONAL,
} from "./phrases.ts";

/** A reason for a lane. The first rule that applies decides. */
export type Rule = {
  readonly name: string;
  readonly waiting: boolean;
  readonly applies: (mail: Mail) => boolean;
  /** Why, in one sentence. */
  readonly summary: (mail: Mail) => string;
};

const EXCERPT_CHARS = 120;
const QUESTION_CHARS = 300;
const ADVERTISEMENT_SIGNS = 2;
const REPLY = /^(?:(?:re|aw|sv|antw|odp|回复|返信)(?:\[\d{1,3}\])?[:：]\s*)/i;

const header = (mail: Mail, name: string): string => mail.headers.get(name)?.trim() ?? "";
const someone = ({ sender }: Mail): string => sender || "Somebody";
const localPart = ({ address }: Mail): string => address.slice(0, Math.max(0, address.lastIndexOf("@")));
const matchesAny = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

/** RFC 3834 section 5: a keyword, perhaps with comments and parameters; only `no` is a person. */
const isAutoSubmitted = (mail: Mail): boolean => {
  const [keyword = ""] = header(mail, "auto-submitted")
    .replace(/\([^()]{0,200}\)/g, "")
    .split(";");
  return keyword.trim() !== "" && keyword.trim().toLowerCase() !== "no";
};

/** RFC 3464 reports, and RFC 5321's empty return path, which every note on a failed delivery has. */
const isBounce = (mail: Mail): boolean =>
  /^multipart\/report\b/i.test(header(mail, "content-type")) ||
  mail.attached.includes("message/delivery-status") ||
  header(mail, "return-path") === "<>" ||
  /^(?:mailer-daemon|postmaster)$/.test(localPart(mail)) ||
  BOUNCE.test(mail.subject);

const isInvitation = (mail: Mail): boolean =>
  mail.attached.includes("text/calendar") ||
  /text\/calendar|method=(?:request|reply|cancel)/i.test(header(mail, "content-type")) ||
  /^(?:invitation|updated invitation|accepted|declined|tentative|cancell?ed(?: event)?|einladung|zugesagt|abgesagt|angenommen|invitación|invito): /i.test(
    mail.subject,
  );

/** What the sender wrote, with the subject where the message has not been answered before. */
const told = (mail: Mail): string =>
  REPLY.test(mail.subject) ? mail.words : `${mail.subject}\n${mail.words}`;

/** The first question that the sender asks; question marks in web addresses ask nothing. */
function question(mail: Mail): string | undefined {
  const text = told(mail).replace(/\S+/g, (word) => (/:\/\/|^www\./i.test(word) ? " " : word));
  const mark = text.search(/[?？؟]/);
  if (mark < 0) return undefined;
  const before = text.slice(Math.max(0, mark - QUESTION_CHARS), mark);
  const sentence = before.split(/[\n.!。！]/).at(-1) ?? "";
  return `${sentence}${text.charAt(mark)}`.trim().toWellFormed();
}

const request = (mail: Mail): string | undefined => {
  const sentences = told(mail).split(/(?<=[.!。])\s|\n/);
  return sentences.find((sentence) => matchesAny(REQUESTS, sentence))?.trim();
};

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const cut = cutCodePoints(line, EXCERPT_CHARS);
  return cut === line ? `“${line}”` : `“${cut}…”`;
}

/** A person who writes about a receipt says I, asks, or answers. */
const isTransactional = (mail: Mail): boolean =>
  matchesAny(TRANSACTIONAL, mail.subject) &&
  !REPLY.test(mail.subject) &&
  !INQUIRY.test(mail.subject) &&
  !FIRST_PERSON.test(mail.words);

const signsOfSelling = (mail: Mail): number =>
  PROMOTIONS.filter((pattern) => pattern.test(`${mail.subject}\n${mail.words}`)).length;

const blue = (name: string, applies: Rule["applies"], summary: Rule["summary"]): Rule => ({
  name,
  waiting: false,
  applies,
  summary,
});
const red = (name: string, applies: Rule["applies"], summary: Rule["summary"]): Rule => ({
  name,
  waiting: true,
  applies,
  summary,
});

/**
 * The rules in their order: what the message says of itself in its headers, then who sent it, then what it is, then
 * whether a person wants something. Where no rule finds that, nobody waits.
 */
export const RULES: readonly Rule[] = [
  blue(
    "list-unsubscribe",
    (mail) => header(mail, "list-unsubscribe") !== "",
    () => "It is a mailing that can be unsubscribed from, so nobody waits for an answer.",
  ),
  blue(
    "precedence",
    (mail) => /^(?:bulk|list|junk)\b/i.test(header(mail, "precedence")),
    (mail) =>
      `It was sent as ${header(mail, "precedence").toLowerCase()} mail, so nobody waits for an answer.`,
  ),
  blue(
    "bounce",
    isBounce,
    () => "It reports on the delivery of another message, so nobody waits for an answer.",
  ),
  blue(
    "auto-submitted",
    isAutoSubmitted,
    () => "A program sent it by itself, so nobody waits for an answer.",
  ),
  blue(
    "auto-response",
    (mail) =>
      header(mail, "x-autoreply") !== "" ||
      header(mail, "x-autorespond") !== "" ||
      ABSENCE.test(mail.subject.replace(REPLY, "")),
    (mail) => `${someone(mail)} is away and answers automatically.`,
  ),
  blue(
    "mailing-list",
    (mail) => header(mail, "list-id") !== "" || header(mail, "list-post") !== "",
    () => "It went to a mailing list, so nobody waits for this reader's answer.",
  ),
  blue(
    "invitation",
    isInvitation,
    (mail) => `${someone(mail)} has a calendar entry, which the calendar answers.`,
  ),
  blue(
    "robot-sender",
    (mail) => ROBOT.test(localPart(mail)),
    (mail) => `${mail.address} is no person's address, so nobody waits for an answer.`,
  ),
  blue(
    "automated-text",
    (mail) => matchesAny(AUTOMATED, mail.words),
    () => "Its own words say that a program sent it, so nobody waits for an answer.",
  ),
  blue(
    "transactional",
    isTransactional,
    () => "It is a receipt, a code or a notice, so nobody waits for an answer.",
  ),
  blue(
    "advertisement",
    (mail) => signsOfSelling(mail) >= ADVERTISEMENT_SIGNS,
    () => "It advertises something, so nobody waits for an answer.",
  ),
  blue(
    "no-answer-wanted",
    (mail) => matchesAny(NO_ANSWER_WANTED, mail.words),
    (mail) => `${someone(mail)} says that no answer is needed.`,
  ),
  red(
    "question",
    (mail) => question(mail) !== undefined,
    (mail) => `${someone(mail)} asks: ${excerpt(question(mail) ?? "")}`,
  ),
  red(
    "request",
    (mail) => request(mail) !== undefined,
    (mail) => `${someone(mail)} wants something: ${excerpt(request(mail) ?? "")}`,
  ),
  blue(
    "empty",
    (mail) => mail.subject === "" && mail.words === "",
    () => "There is nothing in it to answer.",
  ),
  blue(
    "nothing-asked",
    () => true,
    (mail) => `${someone(mail)} tells something and asks for nothing.`,
  ),
];
