import { controls, type Framework } from "../framework.ts";
import { SUBJECTS } from "../subjects.ts";

/** Frameworks for AI. */
export const ARTIFICIAL_INTELLIGENCE: readonly Framework[] = [
  {
    // Regulation (EU) 2024/1689.
    name: "EU AI Act",
    alsoCalled: /\b(?:eu )?ai act\b|2024\/1689/i,
    concerns: (scope) => SUBJECTS.ai(scope) && SUBJECTS.europe(scope),
    controls: controls({
      "Art. 5": "prohibited",
      "Art. 14": "oversight",
      "Art. 9": "risk",
      "Art. 10": "trainingData",
      "Art. 15": "accuracy",
      "Art. 50": "disclosure",
      "Art. 12": "logging",
      "Art. 11 and Annex IV": "documentation",
      "Art. 72": "monitoring",
      "Art. 73": "incidents",
      "Art. 4": "literacy",
    }),
  },
  {
    // NIST AI 100-1, January 2023.
    name: "NIST AI RMF",
    alsoCalled: /\bnist ai(?: rmf|[- ]100-1)?\b|\bai rmf\b|ai risk management framework/i,
    concerns: SUBJECTS.ai,
    controls: controls({
      "GOVERN 2": "accountability",
      "MAP 5": "impact",
      "MEASURE 2.11": "bias",
      "MEASURE 2.5": "accuracy",
      "MANAGE 1": "risk",
      "MANAGE 4": "monitoring",
      "GOVERN 6": "suppliers",
      "MAP 3.5": "oversight",
    }),
  },
  {
    name: "ISO/IEC 42001",
    alsoCalled: /\biso(?:\/iec)? ?42001\b|\baims\b/i,
    concerns: SUBJECTS.ai,
    controls: controls({
      "5.2 and A.2": "policy",
      "5.3 and A.3": "accountability",
      "6.1.2": "risk",
      "6.1.4 and A.5": "impact",
      "A.6": "accuracy",
      "A.7": "trainingData",
      "A.8": "disclosure",
      "A.10": "suppliers",
      "9.2": "audits",
    }),
  },
  {
    name: "ISO/IEC 23894",
    alsoCalled: /\biso(?:\/iec)? ?23894\b/i,
    concerns: (scope) => SUBJECTS.ai(scope) && /\brisk management\b/i.test(scope),
    controls: controls({
      "6.4": "risk",
      "6.5": "impact",
      "6.6": "monitoring",
      "6.7": "documentation",
      "5.4": "accountability",
    }),
  },
  {
    // OWASP Top 10 for LLM Applications, edition of 2025.
    name: "OWASP LLM Top 10",
    alsoCalled: /\bowasp\b/i,
    concerns: SUBJECTS.languageModel,
    controls: controls({
      LLM01: "injection",
      LLM02: "leakage",
      LLM06: "agency",
      LLM05: "outputHandling",
      LLM03: "supplyChain",
      LLM04: "trainingData",
      LLM09: "misinformation",
      LLM10: "consumption",
    }),
  },
  {
    name: "NYC Local Law 144",
    alsoCalled: /\blocal law 144\b|\baedt\b/i,
    concerns: (scope) => SUBJECTS.hiring(scope) && SUBJECTS.newYork(scope),
    controls: controls({ "§ 20-871(a)": "bias", "§ 20-871(b)": "disclosure" }),
  },
];
