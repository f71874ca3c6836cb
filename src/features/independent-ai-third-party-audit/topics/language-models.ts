import type { Topic } from "../topic.ts";

/** How a system with a language model is kept within its bounds. */
export const LANGUAGE_MODELS = {
  injection: {
    terms: ["prompt injection", "jailbreak", "guardrail", "input filter", "untrusted input", "red team"],
    asks: "what keeps text from users, documents and web pages from steering the model",
    recommendation:
      "Treat all content as data, set permissions outside the model, and test with known injections before each release.",
    severity: "high",
  },
  leakage: {
    terms: [
      "redact",
      "redaction",
      "pii filter",
      "data loss prevention",
      "dlp",
      "masked",
      "tenant isolation",
      "sensitive information",
    ],
    asks: "what keeps secrets and other people's data out of prompts, answers and logs",
    recommendation:
      "Redact before the model and in the logs, separate tenants in retrieval, and test for leaks across accounts.",
    severity: "high",
  },
  agency: {
    terms: [
      "approve",
      "approval",
      "allow-list",
      "allowlist",
      "whitelist",
      "sandbox",
      "read-only",
      "permission",
      "confirm",
    ],
    asks: "which actions the model may cause by itself and which need somebody's consent",
    recommendation:
      "Give each tool the least permission, let a person confirm what cannot be taken back, and limit actions by number and value.",
    severity: "high",
  },
  outputHandling: {
    terms: [
      "output validation",
      "validate output",
      "validates output",
      "sanitise",
      "sanitize",
      "escape",
      "output filter",
      "structured output",
    ],
    asks: "how the model's answers are checked before other systems use or show them",
    recommendation:
      "Handle answers like input from a stranger: check them against a schema and escape them where they are shown or executed.",
    severity: "medium",
  },
  supplyChain: {
    terms: [
      "sbom",
      "dependency",
      "dependencies",
      "model provenance",
      "signed model",
      "model registry",
      "pinned",
    ],
    asks: "where models, plug-ins and libraries come from and how they are kept genuine",
    recommendation:
      "Pin versions and hashes of models and libraries, keep a bill of materials, and watch it for known weaknesses.",
    severity: "medium",
  },
  consumption: {
    terms: ["rate limit", "quota", "budget", "spending limit", "timeout", "throttle", "token limit"],
    asks: "what limits the use and the cost of the model",
    recommendation:
      "Limit requests, tokens and spending by account, and raise an alarm well before the limit.",
    severity: "low",
  },
} satisfies Readonly<Record<string, Topic>>;
