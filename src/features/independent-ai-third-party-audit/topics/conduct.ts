import type { Topic } from "../topic.ts";

/** How a system and its makers conduct themselves. */
export const CONDUCT = {
  oversight: {
    terms: [
      "human oversight",
      "human review",
      "human in the loop",
      "reviewed by a human",
      "reviewed by a person",
      "manual review",
      "override",
      "escalate",
      "recruiter decides",
      "final decision",
      "appeal",
    ],
    asks: "who can review, stop or overrule a decision of the system before it takes effect",
    recommendation:
      "Name the roles that may overrule the system, give them time and means to do so, and record each case in which they did.",
    severity: "high",
  },
  risk: {
    terms: [
      "risk assessment",
      "risk management",
      "risk register",
      "risk analysis",
      "threat model",
      "risk treatment",
    ],
    asks: "how risks are identified, rated and treated, and when that is done again",
    recommendation:
      "Keep a risk register with an owner, a rating and a treatment for each risk, and review it at least once a year and with every major change.",
    severity: "high",
  },
  trainingData: {
    terms: [
      "training data",
      "dataset",
      "data set",
      "data quality",
      "data governance",
      "data provenance",
      "labelled",
      "labeled",
      "trained on",
      "fine-tuned on",
      "poisoning",
    ],
    asks: "where training and reference data come from, by which right they are used, and how their quality is checked",
    recommendation:
      "Document the origin, licence, selection and known gaps of every data set, and check them for poisoned, duplicate and unrepresentative records.",
    severity: "high",
  },
  accuracy: {
    terms: [
      "accuracy",
      "accurate",
      "evaluate",
      "evaluation",
      "benchmark",
      "validation",
      "validated",
      "error rate",
      "precision",
      "recall",
      "robust",
      "robustness",
      "test set",
    ],
    asks: "how accuracy and robustness are measured, on which data, and which level is acceptable",
    recommendation:
      "Fix measures and acceptable levels before release, test on data that resembles the use, and repeat with every new version.",
    severity: "medium",
  },
  bias: {
    terms: [
      "bias",
      "fairness",
      "fair",
      "discrimination",
      "disparate impact",
      "impact ratio",
      "protected groups",
      "demographic",
    ],
    asks: "whether results were compared between groups of people",
    recommendation:
      "Measure selection and error rates for each protected group, by somebody independent, and act on differences before and during use.",
    severity: "high",
  },
  disclosure: {
    terms: [
      "disclose",
      "disclosure",
      "inform",
      "informed",
      "notice",
      "privacy policy",
      "label",
      "labelled as ai",
      "transparency",
      "transparent",
      "explanation",
    ],
    asks: "how people learn that they deal with the system and what is done with their data",
    recommendation:
      "Tell people at the first contact, in plain words, that an automated system is used, for what, and where they can turn to.",
    severity: "medium",
  },
  documentation: {
    terms: [
      "technical documentation",
      "documentation",
      "documented",
      "model card",
      "system card",
      "data sheet",
    ],
    asks: "which technical documentation exists and who keeps it up to date",
    recommendation:
      "Keep a technical file with purpose, design, data, tests and limits for each version, ready for an authority or a customer.",
    severity: "medium",
  },
  monitoring: {
    terms: ["monitor", "monitoring", "drift", "alert", "observability", "dashboard", "post-market"],
    asks: "how the system is watched while it is used, and what makes somebody act",
    recommendation:
      "Watch quality, drift and misuse with thresholds that call a named person, and feed what is found back into the risk register.",
    severity: "medium",
  },
  impact: {
    terms: ["impact assessment", "dpia", "fria", "data protection impact", "fundamental rights"],
    asks: "whether the effects on the people concerned were assessed before the use began",
    recommendation:
      "Carry out and sign an impact assessment for the people concerned, with measures and remaining risks, before the use goes on.",
    severity: "high",
  },
  accountability: {
    terms: [
      "accountable",
      "accountability",
      "responsible person",
      "owner",
      "roles and responsibilities",
      "committee",
      "board",
      "officer",
      "governance",
    ],
    asks: "who is accountable for the system and decides about its release and its end",
    recommendation: "Name one accountable person and a deputy, with the authority to stop the system.",
    severity: "medium",
  },
  policy: {
    terms: ["policy", "policies", "ai management system", "code of conduct", "acceptable use"],
    asks: "which policy on AI the organisation has and who approved it",
    recommendation:
      "Adopt a policy on AI that management signs, with purposes that are allowed and ruled out.",
    severity: "medium",
  },
  literacy: {
    terms: ["literacy", "trained staff", "staff training", "awareness", "training for"],
    asks: "how those who work with the system learn what it can and cannot do",
    recommendation: "Train operators and users of the system for their role, and keep a record of it.",
    severity: "low",
  },
  audits: {
    terms: ["internal audit", "management review", "audited", "audit programme", "audit program"],
    asks: "when the organisation audits itself and what management does with the result",
    recommendation:
      "Plan internal audits and a management review every year, and track their actions to the end.",
    severity: "low",
  },
  misinformation: {
    terms: [
      "hallucination",
      "grounded",
      "grounding",
      "citation",
      "cites",
      "fact check",
      "sources",
      "retrieval",
    ],
    asks: "how wrong statements of the model are prevented, noticed and corrected",
    recommendation:
      "Ground answers in named sources, show them, and measure how often answers are not borne out by them.",
    severity: "medium",
  },
  prohibited: {
    terms: [
      "social scoring",
      "emotion recognition",
      "untargeted scraping",
      "predictive policing",
      "subliminal",
      "real-time biometric identification",
      "biometric categorisation",
      "biometric categorization",
    ],
    asks: "that the system keeps away from practices that are prohibited",
    recommendation:
      "Have counsel check the practice against the prohibitions before anything else, and stop it until that is done.",
    severity: "critical",
    isForbidden: true,
  },
} satisfies Readonly<Record<string, Topic>>;
