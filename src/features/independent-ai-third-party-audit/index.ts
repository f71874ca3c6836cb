import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

const SCOPE_CHARS = 20_000;
const FRAMEWORKS = 20;
const FRAMEWORK_CHARS = 100;
const CONSTRAINTS_CHARS = 8_000;

export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export const VERDICTS = ["ready", "conditional", "not_ready"] as const;

/** Reads a scope against frameworks as an auditor from outside would, and says what such a reading cannot show. */
export default defineCapability({
  slug: "independent-ai-third-party-audit",
  version: "1.0.0",
  name: "Independent AI third-party audit",
  category: "audit",
  summary:
    "An independent reading of what you describe against frameworks such as the EU AI Act, NIST AI RMF, ISO/IEC " +
    "42001, ISO/IEC 27001, SOC 2 or GDPR, which are inferred from the scope where none are named: findings with " +
    "severity and recommendation, a verdict, and its limits. It is no certificate and no legal advice.",
  offers: [{ surface: "marketplace", price: mesh(8) }],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 5_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    scope: z
      .string()
      .min(1)
      .max(SCOPE_CHARS)
      .register(field, { trim: true })
      .describe("What is audited: the system, its purpose, its data, and the safeguards that there are."),
    frameworks: z
      .array(z.string().trim().min(1).max(FRAMEWORK_CHARS))
      .max(FRAMEWORKS)
      .optional()
      .describe("What to audit against; inferred from the scope where it is missing or empty."),
    constraints: z
      .string()
      .max(CONSTRAINTS_CHARS)
      .optional()
      .describe("What the audit is to leave out or to look at most."),
  }),
  output: z.object({
    scope: z.string(),
    frameworks: z.array(z.string()).min(1),
    findings: z.array(
      z.object({
        id: z.string().describe("F-1, F-2 ..."),
        framework: z.string().describe("One of the frameworks of this audit."),
        severity: z.enum(SEVERITIES),
        finding: z.string(),
        recommendation: z.string(),
      }),
    ),
    verdict: z.enum(VERDICTS).describe("Never better than the findings allow."),
    limitations: z.array(z.string()).min(1).describe("What this audit did not look at."),
    model: z.string(),
  }),
});
