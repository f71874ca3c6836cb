import type { Topic } from "../topic.ts";

/** What the people whose data are used can expect. */
export const PRIVACY = {
  lawfulBasis: {
    terms: [
      "lawful basis",
      "legal basis",
      "consent",
      "legitimate interest",
      "performance of a contract",
      "legal obligation",
    ],
    asks: "on which legal basis each purpose of the processing rests",
    recommendation:
      "Record purpose, legal basis and categories of data for each processing, and drop what has no basis.",
    severity: "high",
  },
  retention: {
    terms: [
      "retention",
      "retained",
      "kept for",
      "deleted after",
      "delete after",
      "erasure",
      "storage period",
    ],
    asks: "how long data are kept and what deletes them",
    recommendation:
      "Set a period for each kind of data and delete automatically, in backups and at suppliers as well.",
    severity: "medium",
  },
  rights: {
    terms: [
      "data subject",
      "subject access",
      "access request",
      "right to",
      "opt out",
      "opt-out",
      "deletion request",
      "appeal",
    ],
    asks: "how people get at, correct, object to or delete what is held about them",
    recommendation:
      "Offer one way for all requests, answer within the legal time, and reach models and suppliers with it.",
    severity: "medium",
  },
  transfers: {
    terms: [
      "transfer",
      "standard contractual clauses",
      "scc",
      "adequacy",
      "data residency",
      "stored in the eu",
      "hosted in the eu",
      "eu region",
    ],
    asks: "whether data leave the European Economic Area and on which ground",
    recommendation:
      "List every country that data reach, remote access included, and base each transfer on adequacy or standard clauses with an assessment.",
    severity: "medium",
  },
  minimisation: {
    terms: [
      "minimum necessary",
      "data minimisation",
      "data minimization",
      "minimise",
      "minimize",
      "de-identified",
      "anonymised",
      "anonymized",
      "only the data",
    ],
    asks: "how it is made sure that no more data are used than the purpose needs",
    recommendation:
      "Go through each field with its purpose, and remove or mask what the purpose does not need.",
    severity: "medium",
  },
} satisfies Readonly<Record<string, Topic>>;
