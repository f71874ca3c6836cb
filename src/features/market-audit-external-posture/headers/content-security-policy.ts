import type { Result } from "../observatory-results.ts";
import { metaHeaders, type Page } from "../page.ts";
import { type ParsedPolicies, parsePolicies, type Policy } from "./policy.ts";

const BROAD: ReadonlySet<string> = new Set([
  "ftp:",
  "http:",
  "https:",
  "*",
  "http://*",
  "http://*.*",
  "https://*",
  "https://*.*",
]);
const INLINE: ReadonlySet<string> = new Set(["'unsafe-inline'", "data:"]);
const PASSIVE = ["img-src", "media-src"];
const ANYTHING: ReadonlySet<string> = new Set(["*"]);
const NONCE_OR_HASH = /^'(?:nonce|sha256|sha384|sha512)-/;
const INSECURE = /^(?:http|ftp):/;

/** The policy of a page, from its headers and meta tags; null where it cannot be read. */
export const policyOf = (page: Page): ParsedPolicies | null =>
  parsePolicies(
    page.headers.get("content-security-policy") ?? [],
    metaHeaders(page, "content-security-policy"),
  );

/** What holds scripts, styles, plug-ins and the rest back. The worst that is found is the result. */
export function contentSecurityPolicy(page: Page): Result {
  const parsed = policyOf(page);
  if (parsed === null) return "csp-header-invalid";
  const { policy, repeatsReporting } = parsed;
  if (policy.size === 0) {
    return page.headers.has("content-security-policy-report-only")
      ? "csp-not-implemented-but-reporting-enabled"
      : "csp-not-implemented";
  }
  const fault = faultOf(policy);
  if (fault !== undefined) return fault;
  if (repeatsReporting) return "csp-implemented-but-duplicate-directives";
  if (styleIsUnsafe(policy)) return "csp-implemented-with-unsafe-inline-in-style-src-only";
  const byDefault = policy.get("default-src");
  return byDefault?.size === 1 && byDefault.has("'none'")
    ? "csp-implemented-with-no-unsafe-default-src-none"
    : "csp-implemented-with-no-unsafe";
}

function faultOf(policy: Policy): Result | undefined {
  const scripts = effective(policy, "script-src");
  const plugins = sourcesOf(policy, "object-src");
  if (scripts.has("'strict-dynamic'") && !some(scripts, NONCE_OR_HASH)) return "csp-header-invalid";
  if (holdsAny(scripts, BROAD) || holdsAny(scripts, INLINE) || holdsAny(plugins, BROAD)) {
    return "csp-implemented-with-unsafe-inline";
  }
  const others = [...policy].filter(
    ([directive]) => directive !== "script-src" && !PASSIVE.includes(directive),
  );
  if ([...others.map(([, sources]) => sources), scripts].some((sources) => some(sources, INSECURE))) {
    return "csp-implemented-with-insecure-scheme";
  }
  if (scripts.has("'unsafe-eval'") || effective(policy, "style-src").has("'unsafe-eval'")) {
    return "csp-implemented-with-unsafe-eval";
  }
  const passive = PASSIVE.map(
    (directive) => policy.get(directive) ?? policy.get("default-src") ?? new Set<string>(),
  );
  return passive.some((sources) => some(sources, INSECURE))
    ? "csp-implemented-with-insecure-scheme-in-passive-content-only"
    : undefined;
}

function styleIsUnsafe(policy: Policy): boolean {
  const styles = effective(policy, "style-src");
  return holdsAny(styles, BROAD) || holdsAny(styles, INLINE);
}

const sourcesOf = (policy: Policy, directive: string): ReadonlySet<string> =>
  policy.get(directive) ?? policy.get("default-src") ?? ANYTHING;

/** What browsers make of a list: a nonce or hash switches 'unsafe-inline' off, and 'strict-dynamic' the hosts as well. */
function effective(policy: Policy, directive: string): ReadonlySet<string> {
  const sources = sourcesOf(policy, directive);
  if (!some(sources, NONCE_OR_HASH)) return sources;
  const dynamic = directive === "script-src" && sources.has("'strict-dynamic'");
  return new Set(
    [...sources].filter(
      (source) =>
        source !== "'unsafe-inline'" &&
        !(dynamic && (source === "'self'" || [...BROAD].some((broad) => source.startsWith(broad)))),
    ),
  );
}

const holdsAny = (sources: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean =>
  !sources.isDisjointFrom(wanted);
const some = (sources: ReadonlySet<string>, pattern: RegExp): boolean =>
  [...sources].some((source) => pattern.test(source));
