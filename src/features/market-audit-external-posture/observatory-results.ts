/**
 * The scoring of the MDN HTTP Observatory (Mozilla), by the names of its results: every site starts with 100, penalties
 * are taken off, and bonuses count where 90 or more are left.
 *
 * Source: https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring and `src/grader/charts.js` of
 * https://github.com/mdn/mdn-http-observatory (version of its algorithm: 5). The results that need more than HTTPS on
 * port 443, or a list that is not at hand, are left out: see `NOT_JUDGED` in `report.ts`.
 */
export const RESULTS = {
  "csp-implemented-with-no-unsafe-default-src-none": {
    modifier: 10,
    says: "The Content-Security-Policy starts from default-src 'none' and allows nothing unsafe.",
  },
  "csp-implemented-with-no-unsafe": {
    modifier: 5,
    says: "The Content-Security-Policy allows neither 'unsafe-inline' nor 'unsafe-eval'.",
  },
  "csp-implemented-with-unsafe-inline-in-style-src-only": {
    modifier: 0,
    says: "The Content-Security-Policy is unsafe for styles only: 'unsafe-inline', data: or a broad source.",
  },
  "csp-implemented-but-duplicate-directives": {
    modifier: 0,
    says: "The Content-Security-Policy is safe, and names where it reports to more than once.",
  },
  "csp-implemented-with-insecure-scheme-in-passive-content-only": {
    modifier: -10,
    says: "The Content-Security-Policy lets images or media be loaded over http.",
  },
  "csp-implemented-with-unsafe-eval": {
    modifier: -10,
    says: "The Content-Security-Policy allows 'unsafe-eval'.",
  },
  "csp-implemented-with-insecure-scheme": {
    modifier: -20,
    says: "The Content-Security-Policy lets active content be loaded over http or ftp.",
  },
  "csp-implemented-with-unsafe-inline": {
    modifier: -20,
    says: "The Content-Security-Policy does not hold scripts or plug-ins back: 'unsafe-inline', data:, a broad source, or no rule for them.",
  },
  "csp-header-invalid": { modifier: -25, says: "The Content-Security-Policy cannot be read." },
  "csp-not-implemented": { modifier: -25, says: "There is no Content-Security-Policy." },
  "csp-not-implemented-but-reporting-enabled": {
    modifier: -25,
    says: "The Content-Security-Policy only reports (Content-Security-Policy-Report-Only); none is enforced.",
  },
  "cookies-secure-with-httponly-sessions-and-samesite": {
    modifier: 5,
    says: "All cookies are Secure and SameSite, and session cookies HttpOnly.",
  },
  "cookies-secure-with-httponly-sessions": {
    modifier: 0,
    says: "All cookies are Secure, and session cookies HttpOnly; not all are SameSite.",
  },
  "cookies-not-found": { modifier: 0, says: "No cookie was set." },
  "cookies-without-secure-flag-but-protected-by-hsts": {
    modifier: -5,
    says: "A cookie is not Secure, though HSTS keeps it off http.",
  },
  "cookies-session-without-secure-flag-but-protected-by-hsts": {
    modifier: -10,
    says: "A session cookie is not Secure, though HSTS keeps it off http.",
  },
  "cookies-without-secure-flag": { modifier: -20, says: "A cookie is not Secure." },
  "cookies-samesite-flag-invalid": {
    modifier: -20,
    says: "A cookie's SameSite is none of Strict, Lax and None, or is None without Secure.",
  },
  "cookies-anticsrf-without-samesite-flag": {
    modifier: -20,
    says: "A cookie with an anti-CSRF token is not SameSite.",
  },
  "cookies-session-without-httponly-flag": { modifier: -30, says: "A session cookie is not HttpOnly." },
  "cookies-session-without-secure-flag": { modifier: -40, says: "A session cookie is not Secure." },
  "cross-origin-resource-sharing-not-implemented": {
    modifier: 0,
    says: "Other origins may not read the page.",
  },
  "cross-origin-resource-sharing-implemented-with-public-access": {
    modifier: 0,
    says: "Every origin may read the page, without credentials.",
  },
  "cross-origin-resource-sharing-implemented-with-restricted-access": {
    modifier: 0,
    says: "Only some origins may read the page.",
  },
  "cross-origin-resource-sharing-implemented-with-universal-access": {
    modifier: -50,
    says: "Any origin may read the page with the visitor's credentials: the Origin is reflected.",
  },
  "referrer-policy-private": { modifier: 5, says: "The Referrer-Policy keeps addresses private." },
  "referrer-policy-not-implemented": { modifier: 0, says: "There is no Referrer-Policy." },
  "referrer-policy-unsafe": { modifier: -5, says: "The Referrer-Policy gives addresses away." },
  "referrer-policy-header-invalid": { modifier: -5, says: "The Referrer-Policy cannot be read." },
  "hsts-implemented-max-age-at-least-six-months": {
    modifier: 0,
    says: "Strict-Transport-Security holds for six months or more.",
  },
  "hsts-implemented-max-age-less-than-six-months": {
    modifier: -10,
    says: "Strict-Transport-Security holds for less than six months.",
  },
  "hsts-not-implemented": { modifier: -20, says: "There is no Strict-Transport-Security." },
  "hsts-header-invalid": { modifier: -20, says: "Strict-Transport-Security cannot be read." },
  "hsts-invalid-cert": {
    modifier: -20,
    says: "Strict-Transport-Security does not count with a certificate that browsers refuse.",
  },
  "sri-implemented-and-all-scripts-loaded-securely": {
    modifier: 5,
    says: "Scripts of the own origin carry integrity hashes, and no others are loaded.",
  },
  "sri-implemented-and-external-scripts-loaded-securely": {
    modifier: 5,
    says: "Scripts of other origins are loaded over https, with integrity hashes.",
  },
  "sri-not-implemented-response-not-html": {
    modifier: 0,
    says: "The page is not HTML: no scripts are loaded.",
  },
  "sri-not-implemented-but-no-scripts-loaded": { modifier: 0, says: "The page has no scripts." },
  "sri-not-implemented-but-all-scripts-loaded-from-secure-origin": {
    modifier: 0,
    says: "All scripts are of a similar origin.",
  },
  "sri-not-implemented-but-external-scripts-loaded-securely": {
    modifier: -5,
    says: "Scripts of other origins are loaded over https, without integrity hashes.",
  },
  "sri-implemented-but-external-scripts-not-loaded-securely": {
    modifier: -20,
    says: "Scripts of other origins have integrity hashes, and are loaded over http or by a // address.",
  },
  "sri-not-implemented-and-external-scripts-not-loaded-securely": {
    modifier: -50,
    says: "Scripts of other origins are loaded over http or by a // address, without integrity hashes.",
  },
  "x-content-type-options-nosniff": { modifier: 0, says: "X-Content-Type-Options is nosniff." },
  "x-content-type-options-not-implemented": { modifier: -5, says: "There is no X-Content-Type-Options." },
  "x-content-type-options-header-invalid": { modifier: -5, says: "X-Content-Type-Options is not nosniff." },
  "x-frame-options-implemented-via-csp": {
    modifier: 5,
    says: "The frame-ancestors of the Content-Security-Policy say who may frame the page.",
  },
  "x-frame-options-sameorigin-or-deny": { modifier: 0, says: "X-Frame-Options is SAMEORIGIN or DENY." },
  "x-frame-options-allow-from-origin": {
    modifier: 0,
    says: "X-Frame-Options uses ALLOW-FROM, which browsers of today ignore.",
  },
  "x-frame-options-not-implemented": {
    modifier: -20,
    says: "Nothing says who may frame the page: neither X-Frame-Options nor frame-ancestors.",
  },
  "x-frame-options-header-invalid": { modifier: -20, says: "X-Frame-Options cannot be read." },
  "cross-origin-resource-policy-implemented-with-same-origin": {
    modifier: 10,
    says: "Cross-Origin-Resource-Policy is same-origin.",
  },
  "cross-origin-resource-policy-implemented-with-same-site": {
    modifier: 10,
    says: "Cross-Origin-Resource-Policy is same-site.",
  },
  "cross-origin-resource-policy-implemented-with-cross-origin": {
    modifier: 0,
    says: "Cross-Origin-Resource-Policy is cross-origin.",
  },
  "cross-origin-resource-policy-not-implemented": {
    modifier: 0,
    says: "There is no Cross-Origin-Resource-Policy: cross-origin is the default.",
  },
  "cross-origin-resource-policy-header-invalid": {
    modifier: -5,
    says: "Cross-Origin-Resource-Policy cannot be read.",
  },
} as const satisfies Readonly<Record<string, { readonly modifier: number; readonly says: string }>>;

export type Result = keyof typeof RESULTS;
