import { describe, expect, it } from "vitest";
import { cookies } from "../../../src/features/market-audit-external-posture/headers/cookies.ts";
import {
  crossOriginResourceSharing,
  FOREIGN_ORIGIN,
} from "../../../src/features/market-audit-external-posture/headers/resource-sharing.ts";
import {
  crossOriginResourcePolicy,
  referrerPolicy,
  xContentTypeOptions,
  xFrameOptions,
} from "../../../src/features/market-audit-external-posture/headers/short.ts";
import { subresourceIntegrity } from "../../../src/features/market-audit-external-posture/headers/subresource-integrity.ts";
import { strictTransportSecurity } from "../../../src/features/market-audit-external-posture/headers/transport-security.ts";
import { answerOf, pageOf } from "./pages.ts";

const HSTS = { "strict-transport-security": "max-age=31536000" };

describe("cookies", () => {
  it.each([
    [[], "cookies-not-found"],
    [["heroku-session-affinity=a"], "cookies-not-found"],
    [["a=b; Secure; SameSite=Lax"], "cookies-secure-with-httponly-sessions-and-samesite"],
    [["session=b; secure; httponly; samesite=strict"], "cookies-secure-with-httponly-sessions-and-samesite"],
    [["a=b; Secure; SameSite=None"], "cookies-secure-with-httponly-sessions-and-samesite"],
    [["a=b; Secure"], "cookies-secure-with-httponly-sessions"],
    [["a=b; Secure; SameSite=Lax", "c=d; Secure"], "cookies-secure-with-httponly-sessions"],
    [["a=b; SameSite=Lax"], "cookies-without-secure-flag"],
    [["a=b; Secure; SameSite=Sometimes"], "cookies-samesite-flag-invalid"],
    [["a=b; Secure; SameSite"], "cookies-samesite-flag-invalid"],
    [["a=b; SameSite=None"], "cookies-samesite-flag-invalid"],
    [["csrftoken=b; Secure"], "cookies-anticsrf-without-samesite-flag"],
    [["PHPSESSID=b; Secure"], "cookies-session-without-httponly-flag"],
    [["login=b; Secure"], "cookies-session-without-httponly-flag"],
    [["sessionid=b; HttpOnly"], "cookies-session-without-secure-flag"],
    [["a=b; Secure; SameSite=Lax", "sessionid=b"], "cookies-session-without-secure-flag"],
  ])("judges %j as %s", (set, result) => {
    expect(cookies(pageOf({ headers: { "set-cookie": set } }))).toBe(result);
  });

  it("counts a cookie that is not Secure less where HSTS keeps it off http", () => {
    const [plain, session] = ["a=b", "sessionid=b; HttpOnly"].map((cookie) =>
      cookies(pageOf({ headers: { "set-cookie": cookie, ...HSTS } })),
    );
    expect(plain).toBe("cookies-without-secure-flag-but-protected-by-hsts");
    expect(session).toBe("cookies-session-without-secure-flag-but-protected-by-hsts");
  });
});

describe("Strict-Transport-Security", () => {
  it.each([
    ["max-age=31536000; includeSubDomains; preload", "hsts-implemented-max-age-at-least-six-months"],
    ["MAX-AGE=15552000", "hsts-implemented-max-age-at-least-six-months"],
    ['includeSubDomains; max-age="31536000"', "hsts-implemented-max-age-at-least-six-months"],
    ["max-age=15551999", "hsts-implemented-max-age-less-than-six-months"],
    ["max-age=0", "hsts-implemented-max-age-less-than-six-months"],
    ["includeSubDomains", "hsts-header-invalid"],
    ["max-age=-1", "hsts-header-invalid"],
    ["max-age=soon", "hsts-header-invalid"],
    ["", "hsts-header-invalid"],
    ["max-age=31536000, max-age=31536000", "hsts-header-invalid"],
  ])("judges %j as %s", (value, result) => {
    expect(strictTransportSecurity(pageOf({ headers: { "strict-transport-security": value } }))).toBe(result);
  });

  it("is none without the header, invalid when sent twice, and counts for nothing without a good certificate", () => {
    expect(strictTransportSecurity(pageOf({}))).toBe("hsts-not-implemented");
    const twice = { "strict-transport-security": ["max-age=31536000", "max-age=31536000"] };
    expect(strictTransportSecurity(pageOf({ headers: twice }))).toBe("hsts-header-invalid");
    expect(strictTransportSecurity(pageOf({ headers: HSTS }, { trusted: false }))).toBe("hsts-invalid-cert");
  });
});

describe("Referrer-Policy", () => {
  it.each([
    ["no-referrer", "referrer-policy-private"],
    ["Strict-Origin-When-Cross-Origin", "referrer-policy-private"],
    ["no-referrer-when-downgrade, strict-origin", "referrer-policy-private"],
    ["no-referrer, something-new", "referrer-policy-private"],
    ["origin", "referrer-policy-unsafe"],
    ["no-referrer, unsafe-url", "referrer-policy-unsafe"],
    ["whatever", "referrer-policy-header-invalid"],
    ["", "referrer-policy-header-invalid"],
  ])("judges %j as %s", (value, result) => {
    expect(referrerPolicy(pageOf({ headers: { "referrer-policy": value } }))).toBe(result);
  });

  it("is read from a meta tag too, which comes last", () => {
    const html = '<meta http-equiv=referrer-policy content="no-referrer">';
    expect(referrerPolicy(pageOf({ html }))).toBe("referrer-policy-private");
    expect(referrerPolicy(pageOf({ headers: { "referrer-policy": "origin" }, html }))).toBe(
      "referrer-policy-private",
    );
    expect(referrerPolicy(pageOf({}))).toBe("referrer-policy-not-implemented");
  });
});

describe("X-Content-Type-Options, X-Frame-Options and Cross-Origin-Resource-Policy", () => {
  it.each([
    [xContentTypeOptions, "x-content-type-options", "NoSniff ", "x-content-type-options-nosniff"],
    [xContentTypeOptions, "x-content-type-options", "sniff", "x-content-type-options-header-invalid"],
    [xContentTypeOptions, "x-other", "", "x-content-type-options-not-implemented"],
    [xFrameOptions, "x-frame-options", "deny", "x-frame-options-sameorigin-or-deny"],
    [xFrameOptions, "x-frame-options", "SAMEORIGIN", "x-frame-options-sameorigin-or-deny"],
    [xFrameOptions, "x-frame-options", "ALLOW-FROM https://a.example", "x-frame-options-allow-from-origin"],
    [xFrameOptions, "x-frame-options", "nobody", "x-frame-options-header-invalid"],
    [
      xFrameOptions,
      "content-security-policy",
      "frame-ancestors 'none'",
      "x-frame-options-implemented-via-csp",
    ],
    [xFrameOptions, "content-security-policy", "default-src 'none'", "x-frame-options-not-implemented"],
    [
      crossOriginResourcePolicy,
      "cross-origin-resource-policy",
      "same-origin",
      "cross-origin-resource-policy-implemented-with-same-origin",
    ],
    [
      crossOriginResourcePolicy,
      "cross-origin-resource-policy",
      "Same-Site",
      "cross-origin-resource-policy-implemented-with-same-site",
    ],
    [
      crossOriginResourcePolicy,
      "cross-origin-resource-policy",
      "cross-origin",
      "cross-origin-resource-policy-implemented-with-cross-origin",
    ],
    [
      crossOriginResourcePolicy,
      "cross-origin-resource-policy",
      "all",
      "cross-origin-resource-policy-header-invalid",
    ],
    [crossOriginResourcePolicy, "x-other", "", "cross-origin-resource-policy-not-implemented"],
  ])("%o judges %s: %s as %s", (test, name, value, result) => {
    expect(test(pageOf({ headers: { [name]: value } }))).toBe(result);
  });

  it("take no frame-ancestors from a meta tag, where browsers ignore them", () => {
    const html = `<meta http-equiv="content-security-policy" content="frame-ancestors 'none'">`;
    expect(xFrameOptions(pageOf({ html }))).toBe("x-frame-options-not-implemented");
  });
});

describe("cross-origin resource sharing", () => {
  const prefix = "cross-origin-resource-sharing";
  it.each([
    [{}, `${prefix}-not-implemented`],
    [{ "access-control-allow-origin": "*" }, `${prefix}-implemented-with-public-access`],
    [
      { "access-control-allow-origin": "*", "access-control-allow-credentials": "true" },
      `${prefix}-implemented-with-public-access`,
    ],
    [{ "access-control-allow-origin": "https://a.example" }, `${prefix}-implemented-with-restricted-access`],
    [{ "access-control-allow-origin": FOREIGN_ORIGIN }, `${prefix}-implemented-with-restricted-access`],
    [
      { "access-control-allow-origin": FOREIGN_ORIGIN, "access-control-allow-credentials": "True" },
      `${prefix}-implemented-with-universal-access`,
    ],
  ])("judges %j as %s", (headers, result) => {
    expect(crossOriginResourceSharing(answerOf({ headers }))).toBe(result);
  });
});

describe("subresource integrity", () => {
  const hash = 'integrity="sha384-abc"';
  it.each([
    ["<p>no scripts", "sri-not-implemented-but-no-scripts-loaded"],
    ["<script>inline()</script>", "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"],
    ["<script src=/a.js></script>", "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"],
    [
      '<script src="https://static.example.com/a.js"></script>',
      "sri-not-implemented-but-all-scripts-loaded-from-secure-origin",
    ],
    [`<script src="a.js" ${hash}></script>`, "sri-implemented-and-all-scripts-loaded-securely"],
    [
      `<script src="a.js"></script><script src="https://cdn.example.net/b.js" ${hash}></script>`,
      "sri-implemented-and-external-scripts-loaded-securely",
    ],
    [
      "<script src='https://cdn.example.net/a.js'></script>",
      "sri-not-implemented-but-external-scripts-loaded-securely",
    ],
    [
      `<script src="https://cdn.example.net/a.js" ${hash}></script><script src=https://cdn.example.net/b.js></script>`,
      "sri-not-implemented-but-external-scripts-loaded-securely",
    ],
    [
      `<script src="http://cdn.example.net/a.js" ${hash}></script>`,
      "sri-implemented-but-external-scripts-not-loaded-securely",
    ],
    [
      `<script src="//cdn.example.net/a.js" ${hash}></script>`,
      "sri-implemented-but-external-scripts-not-loaded-securely",
    ],
    [
      '<script src="http://cdn.example.net/a.js"></script>',
      "sri-not-implemented-and-external-scripts-not-loaded-securely",
    ],
    [
      '<SCRIPT SRC="//cdn.example.net/a.js"></SCRIPT>',
      "sri-not-implemented-and-external-scripts-not-loaded-securely",
    ],
    [
      "<script>'<script src=http://cdn.example.net/a.js>'</script>",
      "sri-not-implemented-but-all-scripts-loaded-from-secure-origin",
    ],
    ["<!-- <script src=http://cdn.example.net/a.js> -->", "sri-not-implemented-but-no-scripts-loaded"],
  ])("judges %s as %s", (html, result) => {
    expect(subresourceIntegrity(pageOf({ html }))).toBe(result);
  });

  it("needs none where the answer is not HTML", () => {
    const page = pageOf({
      html: "<script src=http://a.example>",
      headers: { "content-type": "application/json" },
    });
    expect(subresourceIntegrity(page)).toBe("sri-not-implemented-response-not-html");
  });
});
