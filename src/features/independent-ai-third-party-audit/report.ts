import { z } from "zod";
import { SEVERITIES, VERDICTS } from "./index.ts";

const FINDINGS = 100;
const TEXT_CHARS = 2_000;
const LIMITATIONS = 20;

const text = z.string().trim().min(1).max(TEXT_CHARS);

/** What a model may answer for these frameworks. A fault names no text of the caller's: it is told outside the data. */
export function reportFor(frameworks: readonly string[]) {
  const known = new Set(frameworks);
  const framework = z
    .string()
    .refine((name) => known.has(name), "This is none of the audit's frameworks, letter by letter.");
  return z.object({
    findings: z
      .array(z.object({ framework, severity: z.enum(SEVERITIES), finding: text, recommendation: text }))
      .max(FINDINGS),
    verdict: z.enum(VERDICTS),
    limitations: z.array(text).max(LIMITATIONS).default([]),
  });
}

type Report = z.output<ReturnType<typeof reportFor>>;

/** The findings under ids of our own, in the model's order. */
export const numbered = (findings: Report["findings"]) =>
  findings.map((finding, index) => ({ id: `F-${index + 1}`, ...finding }));

/** The verdict, made no better than the findings allow: a critical one rules out any release, a high one a plain yes. */
export function soberVerdict({ findings, verdict }: Report): Report["verdict"] {
  const severities = new Set(findings.map(({ severity }) => severity));
  if (severities.has("critical")) return "not_ready";
  return severities.has("high") && verdict === "ready" ? "conditional" : verdict;
}

/** What no audit of this kind looks at, whatever the model says, and what is special to this one. */
export function limitationsOf(
  own: readonly string[],
  {
    model,
    inferred,
    constraints,
  }: { readonly model: string; readonly inferred: boolean; readonly constraints: string },
): string[] {
  return [
    `This is an automated reading of the scope as it was written, by ${model}: nothing in it was verified.`,
    "No documents, records, contracts or source code were examined, no system was tested, and nobody was interviewed.",
    "It is no certification, no attestation and no legal advice.",
    ...(inferred
      ? ["The frameworks were inferred from words of the scope; others may apply, and one of these may not."]
      : []),
    ...(constraints === "" ? [] : ["What the constraints leave out was not looked at."]),
    ...own,
  ];
}
