import type { ProbeAnswer } from "./probe/probe.ts";
import { type Check, notObserved, passed, quoted } from "./check.ts";
import { headerOf, type Page } from "./page.ts";

/** As in `Apache/2.4.41`, `PHP/8` and `WordPress 6.4.2`. */
const VERSION = /\d\.\d|\/\d/;
/** Headers whose value is a version and nothing else. */
const ALWAYS_VERSIONS: ReadonlySet<string> = new Set(["x-aspnet-version", "x-aspnetmvc-version"]);
const HEADERS = ["server", "x-powered-by", ...ALWAYS_VERSIONS, "x-generator"];
/** What servers put under their own error pages. */
const ERROR_PAGE_SIGNATURE =
  /\b(?:Apache|nginx|openresty|Apache Tomcat|Microsoft-IIS|LiteSpeed|lighttpd|Jetty|Werkzeug|PHP)(?:\/|:\/\/| )v?\d{1,4}(?:\.\d{1,4}){1,3}/;
const ERROR_PAGE_CHARS = 65_536;

/** What the software says of itself: its name does little harm, its version tells which holes it has. */
export function bannerChecks(page: Page | null, errorPage: ProbeAnswer | null): Check[] {
  return [...HEADERS.map((name) => headerCheck(name, page)), generatorCheck(page), errorPageCheck(errorPage)];
}

function headerCheck(name: string, page: Page | null): Check {
  if (page === null) return notObserved(name, "The page could not be read.");
  const value = headerOf(page.headers, name);
  if (value === undefined) return passed(name, `There is no ${name} header.`);
  return bannerCheck(name, value, ALWAYS_VERSIONS.has(name));
}

function generatorCheck(page: Page | null): Check {
  const id = "generator-meta";
  if (page === null) return notObserved(id, "The page could not be read.");
  const generator = (page.tags ?? [])
    .find((tag) => tag.name === "meta" && tag.attributes.get("name")?.toLowerCase() === "generator")
    ?.attributes.get("content");
  return generator === undefined
    ? passed(id, "The page names no generator.")
    : bannerCheck(id, generator, false);
}

function bannerCheck(id: string, value: string, always: boolean): Check {
  if (always || VERSION.test(value)) {
    return { id, status: "warn", severity: "low", detail: `It gives a version away: ${quoted(value)}` };
  }
  return passed(id, `It names the software without a version: ${quoted(value)}`);
}

function errorPageCheck(answer: ProbeAnswer | null): Check {
  const id = "error-page";
  if (answer === null || answer.status < 400) return notObserved(id, "No error page was seen.");
  const text = Buffer.from(answer.body).toString("latin1", 0, ERROR_PAGE_CHARS);
  const [signature] = ERROR_PAGE_SIGNATURE.exec(text) ?? [];
  if (signature === undefined) return passed(id, "The error page names no software with a version.");
  return { id, status: "warn", severity: "low", detail: `It gives a version away: ${quoted(signature)}` };
}
