/** A Content-Security-Policy: what each directive allows, in lower case. */
export type Policy = ReadonlyMap<string, ReadonlySet<string>>;

/** What only counts in a header (CSP 3, 3.3). */
const HEADER_ONLY: ReadonlySet<string> = new Set(["frame-ancestors", "report-uri", "sandbox"]);
/** What may be named twice: the first counts, and no harm is done. */
const HARMLESS_TWICE: ReadonlySet<string> = new Set(["report-uri", "report-to"]);
/** No directive with a value is shorter. */
const SHORTEST_CHARS = "img-src".length - 1;

export type ParsedPolicies = {
  /** What all policies together allow; empty where there is none. */
  readonly policy: Policy;
  readonly repeatsReporting: boolean;
};

/**
 * Reads the policies of headers and meta tags, several to a value with commas between (CSP 3, 2.2.2). A page must
 * satisfy them all, so that a directive which stands in several allows what each of them does. Returns null for what
 * cannot be read: a policy without a directive, or one that names a directive twice.
 */
export function parsePolicies(headers: readonly string[], metas: readonly string[]): ParsedPolicies | null {
  const allowed = new Map<string, ReadonlySet<string>>();
  let repeatsReporting = false;
  const texts = [
    ...headers.map((text) => ({ text, meta: false })),
    ...metas.map((text) => ({ text, meta: true })),
  ];
  for (const { text, meta } of texts) {
    for (const part of text.split(",")) {
      const parsed = parsePolicy(part);
      if (parsed === null) return null;
      repeatsReporting ||= parsed.repeatsReporting;
      for (const [directive, sources] of parsed.directives) {
        if (meta && HEADER_ONLY.has(directive)) continue;
        const before = allowed.get(directive);
        allowed.set(directive, before === undefined ? sources : common(before, sources));
      }
    }
  }
  return { policy: allowed, repeatsReporting };
}

type ParsedPolicy = {
  readonly directives: ReadonlyMap<string, ReadonlySet<string>>;
  readonly repeatsReporting: boolean;
};

function parsePolicy(text: string): ParsedPolicy | null {
  if (text.trim().length < SHORTEST_CHARS) return null;
  const directives = new Map<string, ReadonlySet<string>>();
  let repeatsReporting = false;
  for (const entry of text.split(";")) {
    const [directive, ...sources] = entry.trim().toLowerCase().split(/\s+/);
    if (directive === undefined || directive === "") continue;
    if (!directives.has(directive)) directives.set(directive, sourceSet(directive, sources));
    else if (HARMLESS_TWICE.has(directive)) repeatsReporting = true;
    else return null;
  }
  return { directives, repeatsReporting };
}

/** A list of sources without any allows none. */
const sourceSet = (directive: string, sources: readonly string[]): ReadonlySet<string> =>
  new Set(sources.length === 0 && directive.endsWith("-src") ? ["'none'"] : sources);

function common(first: ReadonlySet<string>, second: ReadonlySet<string>): ReadonlySet<string> {
  const both = first.intersection(second);
  return both.size === 0 ? new Set(["'none'"]) : both;
}
