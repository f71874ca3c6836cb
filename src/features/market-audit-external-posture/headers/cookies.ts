import { parseCookie } from "undici";
import { RESULTS, type Result } from "../observatory-results.ts";
import type { Page } from "../page.ts";
import { strictTransportSecurity } from "./transport-security.ts";

/** Set by a load balancer, not by the site (Observatory, issue 282). */
const NOT_THE_SITES: ReadonlySet<string> = new Set(["heroku-session-affinity"]);
const SESSION_NAME = /login|sess/i;
const CSRF_NAME = /csrf/i;
const SAME_SITE = /;\s*samesite\s*(?:=([^;]*))?/i;
const SAME_SITE_VALUES: ReadonlySet<string> = new Set(["strict", "lax", "none"]);

/** How cookies are protected; the worst of all that are set is the result. Their values are not looked at. */
export function cookies(page: Page): Result {
  const hsts = RESULTS[strictTransportSecurity(page)].modifier >= 0;
  const faults: Result[] = [];
  let found = 0;
  let allSameSite = true;
  for (const text of page.cookies) {
    const cookie = parseCookie(text);
    if (cookie === null || NOT_THE_SITES.has(cookie.name)) continue;
    found += 1;
    allSameSite &&= SAME_SITE.test(text);
    faults.push(...faultsOf(text, cookie, hsts));
  }
  if (found === 0) return "cookies-not-found";
  const [worst] = faults.toSorted((a, b) => RESULTS[a].modifier - RESULTS[b].modifier);
  if (worst !== undefined) return worst;
  return allSameSite
    ? "cookies-secure-with-httponly-sessions-and-samesite"
    : "cookies-secure-with-httponly-sessions";
}

function faultsOf(
  text: string,
  { name, secure = false, httpOnly = false }: NonNullable<ReturnType<typeof parseCookie>>,
  hsts: boolean,
): Result[] {
  const sameSite = SAME_SITE.exec(text);
  const site = sameSite?.[1]?.trim().toLowerCase() ?? "";
  const session = SESSION_NAME.test(name);
  const faults: Result[] = [];
  if (sameSite !== null && (!SAME_SITE_VALUES.has(site) || (site === "none" && !secure))) {
    faults.push("cookies-samesite-flag-invalid");
  }
  if (CSRF_NAME.test(name) && sameSite === null) faults.push("cookies-anticsrf-without-samesite-flag");
  if (session && !httpOnly) faults.push("cookies-session-without-httponly-flag");
  if (!secure) faults.push(withoutSecure(session, hsts));
  return faults;
}

function withoutSecure(session: boolean, hsts: boolean): Result {
  if (hsts) {
    return session
      ? "cookies-session-without-secure-flag-but-protected-by-hsts"
      : "cookies-without-secure-flag-but-protected-by-hsts";
  }
  return session ? "cookies-session-without-secure-flag" : "cookies-without-secure-flag";
}
