import type { Mail } from "./mail.ts";
import { RULES } from "./rules.ts";

type Triage = {
  readonly lane: "red" | "blue";
  readonly waiting: boolean;
  readonly rule: string;
  readonly summary: string;
};

/** The lane of a message by the first rule that applies; the last applies to every message. */
export function triage(mail: Mail): Triage {
  const rule = RULES.find(({ applies }) => applies(mail));
  if (rule === undefined) throw new Error("No rule applies, and the last one always does.");
  return {
    lane: rule.waiting ? "red" : "blue",
    waiting: rule.waiting,
    rule: rule.name,
    summary: rule.summary(mail),
  };
}
