import type { Result } from "../observatory-results.ts";
import { headerOf, metaHeaders, type Page } from "../page.ts";
import { policyOf } from "./content-security-policy.ts";

/** The tests of headers that hold a word or two. */

const PRIVATE_REFERRERS: ReadonlySet<string> = new Set([
  "no-referrer",
  "same-origin",
  "strict-origin",
  "strict-origin-when-cross-origin",
]);
const UNSAFE_REFERRERS: ReadonlySet<string> = new Set([
  "origin",
  "origin-when-cross-origin",
  "unsafe-url",
  "no-referrer-when-downgrade",
]);

/** What other sites learn of the page's address; the last value that is known counts (Referrer Policy, 8.1). */
export function referrerPolicy(page: Page): Result {
  const values = [...(page.headers.get("referrer-policy") ?? []), ...metaHeaders(page, "referrer-policy")];
  if (values.length === 0) return "referrer-policy-not-implemented";
  const policy = values
    .flatMap((value) => value.split(","))
    .map((value) => value.trim().toLowerCase())
    .findLast((value) => PRIVATE_REFERRERS.has(value) || UNSAFE_REFERRERS.has(value));
  if (policy === undefined) return "referrer-policy-header-invalid";
  return PRIVATE_REFERRERS.has(policy) ? "referrer-policy-private" : "referrer-policy-unsafe";
}

/** Whether browsers keep to the type that was sent. */
export function xContentTypeOptions({ headers }: Page): Result {
  const value = headerOf(headers, "x-content-type-options");
  if (value === undefined) return "x-content-type-options-not-implemented";
  return value.trim().toLowerCase() === "nosniff"
    ? "x-content-type-options-nosniff"
    : "x-content-type-options-header-invalid";
}

/** Who may frame the page. */
export function xFrameOptions(page: Page): Result {
  if (policyOf(page)?.policy.has("frame-ancestors") === true) return "x-frame-options-implemented-via-csp";
  const value = headerOf(page.headers, "x-frame-options")?.trim().toLowerCase();
  if (value === undefined) return "x-frame-options-not-implemented";
  if (value === "deny" || value === "sameorigin") return "x-frame-options-sameorigin-or-deny";
  return value.startsWith("allow-from")
    ? "x-frame-options-allow-from-origin"
    : "x-frame-options-header-invalid";
}

/** Who may embed the page's content (Fetch, Cross-Origin-Resource-Policy). */
export function crossOriginResourcePolicy(page: Page): Result {
  const value =
    headerOf(page.headers, "cross-origin-resource-policy") ??
    metaHeaders(page, "cross-origin-resource-policy").at(-1);
  switch (value?.trim().toLowerCase()) {
    case undefined:
      return "cross-origin-resource-policy-not-implemented";
    case "same-origin":
      return "cross-origin-resource-policy-implemented-with-same-origin";
    case "same-site":
      return "cross-origin-resource-policy-implemented-with-same-site";
    case "cross-origin":
      return "cross-origin-resource-policy-implemented-with-cross-origin";
    default:
      return "cross-origin-resource-policy-header-invalid";
  }
}
