import { randomBytes } from "node:crypto";
import { InputFault } from "../../core/errors.ts";
import type { ProbeAnswer, ProbeMiss, ProbeSession, TlsObservation } from "./probe/probe.ts";
import { FOREIGN_ORIGIN } from "./headers/resource-sharing.ts";
import { headerOf, type Page, tagsOfAnswer } from "./page.ts";
import { staysAway } from "./robots.ts";
import { SENSITIVE_PATHS } from "./sensitive-paths.ts";
import { isTrusted } from "./tls.ts";

/** Redirects on the same host that are followed from `/`. */
const MAX_REDIRECTS = 3;
/** Enough of a file to tell what it is. */
const SIGNATURE_BYTES = 65_536;
const ROBOTS_BYTES = 65_536;
/** Paths that are asked for at once. */
const LANES = 4;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** All that a run saw of a host. */
export type Observation = {
  readonly tls: TlsObservation;
  readonly speaksOldTls: boolean | null;
  /** Null where `/` was not answered in time. */
  readonly page: Page | null;
  /** Whether the page was read to its end. */
  readonly pageComplete: boolean;
  /** The answer to a request of another origin; null where there was none. */
  readonly crossOrigin: ProbeAnswer | null;
  /** The answer for a path that nobody can have made. */
  readonly control: ProbeAnswer | null;
  readonly paths: ReadonlyMap<string, ProbeAnswer | ProbeMiss>;
  /** Whether the time or the requests ran out. */
  readonly spent: boolean;
};

/**
 * Looks at a host: first whether it wants this, then `/`, then the rest. Throws `InputFault`: `host_unreachable` where
 * nothing speaks TLS there, `host_refused` where its robots.txt asks this probe to stay away.
 */
export async function observe(session: ProbeSession, host: string): Promise<Observation> {
  const robots = await session.request({ path: "/robots.txt", maxBytes: ROBOTS_BYTES });
  const tls = mustHaveTls(session, robots);
  if (
    !("missed" in robots) &&
    robots.status === 200 &&
    staysAway(Buffer.from(robots.body).toString("utf8"))
  ) {
    throw new InputFault("host_refused", "The asset's robots.txt asks this probe to stay away.");
  }
  const { page, complete } = await readPage(session, host, tls);
  const crossOrigin = await session.request({
    path: "/",
    headers: { origin: FOREIGN_ORIGIN },
    maxBytes: SIGNATURE_BYTES,
  });
  const speaksOldTls = await session.speaksOldTls();
  const control = await session.request({
    path: `/${randomBytes(16).toString("hex")}`,
    maxBytes: SIGNATURE_BYTES,
  });
  const paths = await lookAtPaths(session);
  return {
    tls,
    speaksOldTls,
    page,
    pageComplete: complete,
    crossOrigin: "missed" in crossOrigin ? null : crossOrigin,
    control: "missed" in control ? null : control,
    paths,
    spent: session.spent,
  };
}

function mustHaveTls(session: ProbeSession, answer: ProbeAnswer | ProbeMiss): TlsObservation {
  if (session.tls !== null) return session.tls;
  const code = "missed" in answer ? answer.code : "UNKNOWN";
  throw new InputFault(
    "host_unreachable",
    `The asset could not be reached over HTTPS on port 443 (${code}).`,
  );
}

async function readPage(
  session: ProbeSession,
  host: string,
  tls: TlsObservation,
): Promise<{ page: Page | null; complete: boolean }> {
  const cookies: string[] = [];
  let path = "/";
  for (let followed = 0; ; followed++) {
    const answer = await session.request({ path });
    if ("missed" in answer) return { page: null, complete: false };
    const { status, headers, complete } = answer;
    cookies.push(...(headers.get("set-cookie") ?? []));
    const target = REDIRECTS.has(status) ? redirectOf(headerOf(headers, "location"), path, host) : null;
    if (target?.path !== undefined && followed < MAX_REDIRECTS) {
      path = target.path;
      continue;
    }
    const tags = target === null ? tagsOfAnswer(answer) : null;
    const leadsTo = target === null ? null : target.shown;
    return { page: { host, status, headers, cookies, tags, trusted: isTrusted(tls), leadsTo }, complete };
  }
}

/** Where a redirect leads: a path that may be followed where it stays on the host, over https and on port 443. */
function redirectOf(
  location: string | undefined,
  from: string,
  host: string,
): { readonly path?: string; readonly shown: string } | null {
  if (location === undefined) return null;
  const url = URL.parse(location, `https://${host}${from}`);
  if (url === null) return { shown: "an address that cannot be read" };
  const stays = url.protocol === "https:" && url.host === host && url.username === "" && url.password === "";
  // Only the origin is shown: the rest may hold what is nobody's business.
  return stays
    ? { path: `${url.pathname}${url.search}`, shown: "one more path of the asset" }
    : { shown: url.origin === "null" ? url.protocol : url.origin };
}

async function lookAtPaths(session: ProbeSession): Promise<ReadonlyMap<string, ProbeAnswer | ProbeMiss>> {
  const found = new Map<string, ProbeAnswer | ProbeMiss>();
  const waiting = SENSITIVE_PATHS.values();
  const lane = async (): Promise<void> => {
    for (const { path } of waiting) {
      found.set(path, await session.request({ path, maxBytes: SIGNATURE_BYTES }));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return found;
}
