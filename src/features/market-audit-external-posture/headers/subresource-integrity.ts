import { isUnder } from "../../../core/outbound/host-names.ts";
import { RESULTS, type Result } from "../observatory-results.ts";
import type { Page } from "../page.ts";

/** What a page without a fault is said to do: the first of these that one of its scripts does. */
const WITHOUT_FAULT: readonly Result[] = [
  "sri-implemented-and-external-scripts-loaded-securely",
  "sri-implemented-and-all-scripts-loaded-securely",
];

/** Whether scripts of others are loaded safely; the worst of all scripts is the result. */
export function subresourceIntegrity({ host, tags }: Page): Result {
  if (tags === null) return "sri-not-implemented-response-not-html";
  const scripts = tags.filter(({ name }) => name === "script");
  if (scripts.length === 0) return "sri-not-implemented-but-no-scripts-loaded";
  const results = scripts.flatMap(({ attributes }) => {
    const source = attributes.get("src")?.trim() ?? "";
    return source === "" ? [] : resultOf(source, (attributes.get("integrity") ?? "") !== "", host);
  });
  const [worst] = results.toSorted((a, b) => RESULTS[a].modifier - RESULTS[b].modifier);
  if (worst !== undefined && RESULTS[worst].modifier < 0) return worst;
  const good = WITHOUT_FAULT.find((result) => results.includes(result));
  return good ?? "sri-not-implemented-but-all-scripts-loaded-from-secure-origin";
}

function resultOf(source: string, hashed: boolean, host: string): Result {
  const url = URL.parse(source, `https://${host}/`);
  const relative = !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source);
  if (relative || (!source.startsWith("//") && url !== null && isSimilar(url.hostname, host))) {
    return hashed && url?.protocol === "https:"
      ? "sri-implemented-and-all-scripts-loaded-securely"
      : "sri-not-implemented-but-all-scripts-loaded-from-secure-origin";
  }
  const secure = !source.startsWith("//") && url?.protocol === "https:";
  if (secure) {
    return hashed
      ? "sri-implemented-and-external-scripts-loaded-securely"
      : "sri-not-implemented-but-external-scripts-loaded-securely";
  }
  return hashed
    ? "sri-implemented-but-external-scripts-not-loaded-securely"
    : "sri-not-implemented-and-external-scripts-not-loaded-securely";
}

/** Whether one of two hosts, `www.` aside, lies under the other. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.replace(/^www\./, "")) as [string, string];
  return isUnder(a, b) || isUnder(b, a);
}
