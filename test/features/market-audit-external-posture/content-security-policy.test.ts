import { expect, it } from "vitest";
import { contentSecurityPolicy } from "../../../src/features/market-audit-external-posture/headers/content-security-policy.ts";
import { pageOf } from "./pages.ts";

const NAME = "content-security-policy";
const judge = (policy: string | readonly string[]) =>
  contentSecurityPolicy(pageOf({ headers: { [NAME]: policy } }));
const meta = (policy: string): string => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;

it.each([
  ["default-src 'none'", "csp-implemented-with-no-unsafe-default-src-none"],
  [
    "DEFAULT-SRC 'NONE'; script-src 'self'; form-action 'self'",
    "csp-implemented-with-no-unsafe-default-src-none",
  ],
  ["default-src 'self'", "csp-implemented-with-no-unsafe"],
  ["default-src 'self';", "csp-implemented-with-no-unsafe"],
  ["default-src 'self' https://cdn.example.net", "csp-implemented-with-no-unsafe"],
  ["script-src 'self'; object-src 'none'; style-src 'self'", "csp-implemented-with-no-unsafe"],
  [
    "default-src 'none'; script-src 'nonce-abc' 'unsafe-inline'",
    "csp-implemented-with-no-unsafe-default-src-none",
  ],
  [
    "default-src 'none'; script-src 'sha256-abc' 'unsafe-inline'",
    "csp-implemented-with-no-unsafe-default-src-none",
  ],
  [
    "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic' https: 'self'",
    "csp-implemented-with-no-unsafe-default-src-none",
  ],
  ["default-src 'none'; report-uri /a; report-uri /b", "csp-implemented-but-duplicate-directives"],
  ["default-src 'self'; style-src 'unsafe-inline'", "csp-implemented-with-unsafe-inline-in-style-src-only"],
  ["default-src 'self'; style-src data:", "csp-implemented-with-unsafe-inline-in-style-src-only"],
  ["default-src 'self'; style-src https:", "csp-implemented-with-unsafe-inline-in-style-src-only"],
  ["script-src 'self'; object-src 'none'", "csp-implemented-with-unsafe-inline-in-style-src-only"],
  [
    "default-src 'self'; img-src http://img.example.com",
    "csp-implemented-with-insecure-scheme-in-passive-content-only",
  ],
  ["default-src 'self'; media-src http:", "csp-implemented-with-insecure-scheme-in-passive-content-only"],
  ["default-src 'self'; script-src 'self' 'unsafe-eval'", "csp-implemented-with-unsafe-eval"],
  ["default-src 'self'; style-src 'self' 'unsafe-eval'", "csp-implemented-with-unsafe-eval"],
  ["default-src 'self'; script-src http://cdn.example.com", "csp-implemented-with-insecure-scheme"],
  ["default-src 'self'; frame-src ftp://example.com", "csp-implemented-with-insecure-scheme"],
  ["default-src 'self' 'unsafe-inline'", "csp-implemented-with-unsafe-inline"],
  ["default-src 'self'; script-src data:", "csp-implemented-with-unsafe-inline"],
  ["default-src 'self'; script-src *", "csp-implemented-with-unsafe-inline"],
  ["default-src https:", "csp-implemented-with-unsafe-inline"],
  ["default-src 'self'; object-src *", "csp-implemented-with-unsafe-inline"],
  ["script-src 'self'", "csp-implemented-with-unsafe-inline"],
  ["object-src 'none'", "csp-implemented-with-unsafe-inline"],
  ["upgrade-insecure-requests", "csp-implemented-with-unsafe-inline"],
  ["default-src 'self'; script-src 'self' 'strict-dynamic'", "csp-header-invalid"],
  ["default-src 'self'; default-src 'none'", "csp-header-invalid"],
  ["", "csp-header-invalid"],
  ["abc", "csp-header-invalid"],
])("judges %s as %s", (policy, result) => {
  expect(judge(policy)).toBe(result);
});

it("takes an empty list of sources for none", () => {
  expect(judge("default-src")).toBe("csp-implemented-with-no-unsafe-default-src-none");
});

it("takes of several policies what all of them allow", () => {
  const result = "csp-implemented-with-no-unsafe";
  expect(judge(["default-src 'self' 'unsafe-inline'", "default-src 'self'"])).toBe(result);
  expect(judge("default-src 'self' 'unsafe-inline', default-src 'self'")).toBe(result);
  expect(judge(["default-src 'self'", "script-src 'unsafe-inline'"])).toBe(
    "csp-implemented-with-unsafe-inline",
  );
  expect(judge(["default-src 'self'", "default-src https://a.example"])).toBe(
    "csp-implemented-with-no-unsafe-default-src-none",
  );
});

it("reads a policy from a meta tag, without what only counts in a header", () => {
  expect(contentSecurityPolicy(pageOf({ html: meta("default-src &#39;none&#39;") }))).toBe(
    "csp-implemented-with-no-unsafe-default-src-none",
  );
  expect(contentSecurityPolicy(pageOf({ html: meta("frame-ancestors 'none'; sandbox") }))).toBe(
    "csp-not-implemented",
  );
  expect(contentSecurityPolicy(pageOf({ html: `<!-- ${meta("default-src 'none'")} -->` }))).toBe(
    "csp-not-implemented",
  );
});

it("tells a policy that only reports from none", () => {
  expect(contentSecurityPolicy(pageOf({}))).toBe("csp-not-implemented");
  expect(
    contentSecurityPolicy(
      pageOf({ headers: { "content-security-policy-report-only": "default-src 'none'" } }),
    ),
  ).toBe("csp-not-implemented-but-reporting-enabled");
});
