import type { Result } from "../observatory-results.ts";
import type { Page } from "../page.ts";

/** The Observatory says six months and takes 180 days, as many sites do. */
const SIX_MONTHS_S = 15_552_000;
const MAX_AGE = /^max-age\s*=\s*"?(\d{1,12})"?$/;

/** For how long browsers stay on https (RFC 6797). */
export function strictTransportSecurity({ headers, trusted }: Page): Result {
  if (!trusted) return "hsts-invalid-cert";
  const values = headers.get("strict-transport-security");
  if (values === undefined) return "hsts-not-implemented";
  const maxAge = values.length === 1 && values[0] !== undefined ? maxAgeOf(values[0]) : undefined;
  if (maxAge === undefined) return "hsts-header-invalid";
  return maxAge < SIX_MONTHS_S
    ? "hsts-implemented-max-age-less-than-six-months"
    : "hsts-implemented-max-age-at-least-six-months";
}

function maxAgeOf(value: string): number | undefined {
  const [seconds] = value
    .toLowerCase()
    .split(";")
    .flatMap((part) => MAX_AGE.exec(part.trim())?.[1] ?? []);
  return seconds === undefined ? undefined : Number(seconds);
}
