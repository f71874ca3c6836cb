import { controls, type Framework } from "../framework.ts";
import { SUBJECTS } from "../subjects.ts";

/** Frameworks for information security, privacy and the trades that have rules of their own. */
export const SECURITY_AND_PRIVACY: readonly Framework[] = [
  {
    // Regulation (EU) 2016/679.
    name: "GDPR",
    alsoCalled: /\bgdpr\b|\bdsgvo\b|2016\/679|data protection regulation/i,
    concerns: (scope) => SUBJECTS.europe(scope) && SUBJECTS.people(scope),
    controls: controls({
      "Art. 6": "lawfulBasis",
      "Art. 35": "impact",
      "Art. 32": "encryption",
      "Art. 22": "oversight",
      "Art. 33": "incidents",
      "Arts. 13 and 14": "disclosure",
      "Art. 5(1)(e)": "retention",
      "Arts. 15 to 17": "rights",
      "Art. 28": "suppliers",
      "Art. 44": "transfers",
    }),
  },
  {
    // 45 CFR Part 164.
    name: "HIPAA",
    alsoCalled: /\bhipaa\b|45 cfr 164/i,
    concerns: (scope) => SUBJECTS.health(scope) && !SUBJECTS.europe(scope),
    controls: controls({
      "§ 164.308(a)(1)(ii)(A)": "risk",
      "§ 164.312(a)": "access",
      "§ 164.312(e)": "encryption",
      "§ 164.502(e)": "associates",
      "§ 164.312(b)": "logging",
      "§ 164.502(b)": "minimisation",
      "§ 164.404": "incidents",
    }),
  },
  {
    // Version 4.0.1, June 2024.
    name: "PCI DSS",
    alsoCalled: /\bpci(?: dss)?\b/i,
    concerns: SUBJECTS.cards,
    controls: controls({
      "3.3": "authenticationData",
      "3.5": "cardData",
      "4.2": "encryption",
      "8.4": "access",
      "11.4": "vulnerabilities",
      "10.2": "logging",
      "12.10": "incidents",
    }),
  },
  {
    // ISO/IEC 27001:2022; controls of its Annex A.
    name: "ISO/IEC 27001",
    alsoCalled: /\biso(?:\/iec)? ?2700[12]\b|\bisms\b/i,
    concerns: SUBJECTS.security,
    controls: controls({
      "6.1.2": "risk",
      "A.5.15": "access",
      "A.8.24": "encryption",
      "A.5.24": "incidents",
      "A.8.8": "vulnerabilities",
      "A.8.15": "logging",
      "A.5.19": "suppliers",
      "A.8.13": "backups",
      "9.2": "audits",
    }),
  },
  {
    // AICPA Trust Services Criteria of 2017, points of focus of 2022.
    name: "SOC 2",
    alsoCalled: /\bsoc ?2\b|trust services criteria/i,
    concerns: SUBJECTS.service,
    controls: controls({
      "CC6.1": "access",
      "CC6.7": "encryption",
      "CC7.4": "incidents",
      "CC7.2": "monitoring",
      "CC8.1": "changes",
      "CC9.2": "suppliers",
      "A1.2": "backups",
      "CC3.2": "risk",
    }),
  },
  {
    // Regulation (EU) 2022/2554.
    name: "DORA",
    alsoCalled: /\bdora\b|2022\/2554|digital operational resilience/i,
    concerns: (scope) => SUBJECTS.finance(scope) && SUBJECTS.europe(scope),
    controls: controls({
      "Art. 6": "risk",
      "Art. 17": "incidents",
      "Art. 24": "vulnerabilities",
      "Art. 28": "suppliers",
      "Art. 12": "backups",
    }),
  },
  {
    name: "CCPA",
    alsoCalled: /\bccpa\b|\bcpra\b|california consumer privacy/i,
    concerns: (scope) => SUBJECTS.california(scope) && SUBJECTS.people(scope),
    controls: controls({
      "§ 1798.100": "disclosure",
      "§ 1798.105": "rights",
      "§ 1798.100(c)": "minimisation",
      "§ 1798.150": "encryption",
    }),
  },
];
