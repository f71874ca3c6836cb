import { z } from "zod";
import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineOffline } from "../../core/models/offline.ts";
import { applyRules, isNegated } from "../../offline/text/rules.ts";
import { splitSentences } from "../../offline/text/sentences.ts";
import { controls } from "./framework.ts";
import { frameworkNamed } from "./frameworks.ts";
import { SEVERITIES } from "./index.ts";
import type { Topic } from "./topic.ts";
import { TOPICS, type TopicName } from "./topics.ts";

const request = z.object({
  scope: z.string(),
  frameworks: z.array(z.string()),
  constraints: z.string().default(""),
});

const FINDINGS_PER_FRAMEWORK = 5;
const QUOTE_CHARS = 300;
const HIGHS_TOO_MANY = 4;

/** What any framework asks for, for one whose text is not known here. */
const GENERAL = controls({
  accountability: "accountability",
  "risk management": "risk",
  "human oversight": "oversight",
  "access control": "access",
  "incident handling": "incidents",
  monitoring: "monitoring",
});
const UNSAFE =
  /\b(?:unencrypted|plain ?text|unmonitored|undocumented|unreviewed|not yet|missing|planned|lacking|todo)\b/i;
const LEAVES_OUT = /\b(?:exclude|excluding|except|skip|ignore|leave out|out of scope|not|no|without)\b/i;

type Severity = (typeof SEVERITIES)[number];
type Finding = { framework: string; severity: Severity; finding: string; recommendation: string };

/** Goes through each framework's controls: what the scope denies or does not mention is a finding. */
export default defineOffline(({ data }) => {
  const { scope, frameworks, constraints } = request.parse(data);
  const sentences = splitSentences(scope);
  const mentions = mentionsIn(scope);
  const leftOut = leftOutBy(constraints);
  const found = frameworks.flatMap((name) =>
    (frameworkNamed(name)?.controls ?? GENERAL)
      .filter(({ topic }) => !leftOut.has(topic))
      .flatMap(({ reference, topic }) => findingOn(name, reference, TOPICS[topic], mentions.get(topic) ?? []))
      .sort(bySeverity)
      .slice(0, FINDINGS_PER_FRAMEWORK),
  );
  const findings = found.sort(bySeverity);
  const unknown = frameworks.filter((name) => frameworkNamed(name) === undefined);
  return {
    findings,
    verdict: verdictOf(findings),
    limitations: [
      `${sentences.length} ${sentences.length === 1 ? "sentence was" : "sentences were"} compared with lists of controls by their words: a safeguard that is described in other words counts as missing.`,
      ...(unknown.length === 0
        ? []
        : [`The text of ${short(unknown.join(", "))} is not known here; general controls stood in for it.`]),
    ],
  };
});

function findingOn(
  framework: string,
  reference: string,
  topic: Topic,
  mentions: readonly string[],
): Finding[] {
  const denied = mentions.find((sentence) => isNegated(sentence) || UNSAFE.test(sentence));
  const stated = mentions.find((sentence) => sentence !== denied);
  const finding = (severity: Severity, text: string): Finding[] => [
    { framework, severity, finding: `${reference}: ${text}`, recommendation: topic.recommendation },
  ];
  if (topic.isForbidden === true) {
    return stated === undefined || isNegated(stated)
      ? []
      : finding(topic.severity, `the scope describes what this rules out: “${short(stated)}”`);
  }
  if (denied !== undefined) {
    return finding(
      worse(topic.severity),
      `the scope itself says that this is missing or in doubt: “${short(denied)}”`,
    );
  }
  return stated === undefined ? finding(topic.severity, `the scope does not say ${topic.asks}.`) : [];
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);
const bySeverity = (one: Finding, other: Finding): number => rank(other.severity) - rank(one.severity);
/** What a scope denies weighs more than what it leaves open; critical is only what is forbidden. */
const worse = (severity: Severity): Severity =>
  SEVERITIES[Math.min(rank(severity) + 1, rank("high"))] ?? severity;

function verdictOf(findings: readonly Finding[]): "ready" | "conditional" | "not_ready" {
  const highs = findings.filter(({ severity }) => severity === "high").length;
  if (highs >= HIGHS_TOO_MANY || findings.some(({ severity }) => severity === "critical")) return "not_ready";
  return highs > 0 ? "conditional" : "ready";
}

const RULES = (Object.keys(TOPICS) as TopicName[]).map((name) => ({ any: TOPICS[name].terms, gives: name }));

/** The sentences of a text that speak of a topic, topic by topic. */
const mentionsIn = (text: string): Map<TopicName, readonly string[]> =>
  new Map(applyRules(text, RULES).map(({ gives, evidence }) => [gives, evidence]));

/** The topics that the constraints leave out. */
function leftOutBy(constraints: string): Set<TopicName> {
  const excluded = [...mentionsIn(constraints)].filter(([, sentences]) =>
    sentences.some((sentence) => LEAVES_OUT.test(sentence)),
  );
  return new Set(excluded.map(([topic]) => topic));
}

function short(sentence: string): string {
  const shown = cutCodePoints(sentence, QUOTE_CHARS);
  return shown === sentence ? sentence : `${shown}…`;
}
