import { bannerChecks } from "./banners.ts";
import { type Check, notObserved, quoted } from "./check.ts";
import { pathChecks } from "./exposed-paths.ts";
import { crossOriginResourceSharing } from "./headers/resource-sharing.ts";
import { HEADER_TESTS } from "./headers/tests.ts";
import { checkOf, type Grade, gradeOf } from "./observatory.ts";
import type { Result } from "./observatory-results.ts";
import type { Observation } from "./observe.ts";
import { tlsChecks } from "./tls.ts";

/** What no run looks at, and what the Observatory would look at besides. */
const NOT_JUDGED = [
  "redirection from http:// to https://, because port 80 is not contacted (the Observatory's test `redirection`)",
  "whether the host is in the browsers' HSTS preload list (the Observatory's bonus `hsts-preloaded`)",
  "other ports, other hosts and subdomains, other pages than / and what lies behind a login",
  "what scripts do: nothing is executed, no form is sent, no link is followed",
  "the strength of ciphers and keys, and whether the certificate is revoked",
  "DNS records, mail, and whether the named software has known vulnerabilities",
];
const PAGE_UNREAD = "The page at / was not answered, or not in time.";

type Report = {
  asset: string;
  observed_at: string;
  grade: Grade | null;
  score: number | null;
  headers: Check[];
  tls: Check[];
  banners: Check[];
  exposed_paths: Check[];
  not_checked: string[];
};

/** The report of a run. The grade speaks of the headers alone, as the Observatory's does. */
export function reportOf(asset: string, seen: Observation, now: Date): Report {
  const results = headerResults(seen);
  const graded = results.flatMap(({ result }) => (result === null ? [] : [result]));
  const judged = seen.page !== null && seen.page.leadsTo === null;
  const { score, grade } = judged ? gradeOf(graded) : { score: null, grade: null };
  return {
    asset,
    observed_at: now.toISOString(),
    grade,
    score,
    headers: results.map(({ id, result, why }) =>
      result === null ? notObserved(id, why) : checkOf(id, result),
    ),
    tls: tlsChecks(seen.tls, seen.speaksOldTls, now),
    banners: bannerChecks(seen.page, seen.control),
    exposed_paths: pathChecks(seen.paths, seen.control),
    not_checked: [...NOT_JUDGED, ...notCheckedThisTime(seen)],
  };
}

type HeaderResult = { readonly id: string; readonly result: Result | null; readonly why: string };

function headerResults({ page, crossOrigin }: Observation): HeaderResult[] {
  const ofPage = HEADER_TESTS.map(({ id, test, ofRedirects }): HeaderResult => {
    if (page === null) return { id, result: null, why: PAGE_UNREAD };
    if (page.leadsTo !== null && !ofRedirects) {
      return { id, result: null, why: "The asset sends browsers elsewhere: it shows no page of its own." };
    }
    return { id, result: test(page), why: "" };
  });
  return [
    ...ofPage,
    {
      id: "cross-origin-resource-sharing",
      result: crossOrigin === null ? null : crossOriginResourceSharing(crossOrigin),
      why: "A request of another origin was not answered, or not in time.",
    },
    { id: "redirection", result: null, why: "Port 80 is not contacted." },
  ];
}

function notCheckedThisTime(seen: Observation): string[] {
  const { page, pageComplete, control, paths } = seen;
  const missing = [...paths].filter(([, answer]) => "missed" in answer).map(([path]) => path);
  return [
    ...(page === null
      ? ["the headers and banners of the page: / was not answered, or not in time, so there is no grade"]
      : []),
    ...(page !== null && page.leadsTo !== null
      ? [
          `the page: / answers with a redirect to ${quoted(page.leadsTo)}, which was not followed, so there is no grade`,
        ]
      : []),
    ...(page !== null && page.leadsTo === null && page.status >= 400
      ? [`the page that visitors see: / answers ${page.status}, and the grade is that of this error page`]
      : []),
    ...(page !== null && !pageComplete
      ? ["the rest of the page: it was too long, or too slow, to be read to its end"]
      : []),
    ...(seen.speaksOldTls === null ? ["whether TLS 1.1 or older is accepted"] : []),
    ...(control === null ? ["error pages, and whether the host answers every path alike"] : []),
    ...(missing.length === 0 ? [] : [`these paths, which were not answered: ${missing.join(", ")}`]),
    ...(seen.spent ? ["what the time or the number of requests of one run did not allow"] : []),
  ];
}
