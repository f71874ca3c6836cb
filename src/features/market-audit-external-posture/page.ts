import type { ProbeAnswer } from "./probe/probe.ts";
import { type Tag, tagsOf } from "./html.ts";

/** What stands at `/` of the asset, after the redirects that stay on it. */
export type Page = {
  readonly host: string;
  readonly status: number;
  readonly headers: ProbeAnswer["headers"];
  /** Every `Set-Cookie` on the way. */
  readonly cookies: readonly string[];
  /** Its `meta` and `script` tags; null where it is not HTML. */
  readonly tags: readonly Tag[] | null;
  /** Whether the certificate was good: without that, browsers ignore HSTS. */
  readonly trusted: boolean;
  /** Where it sends browsers that this probe does not follow; null for a document. */
  readonly leadsTo: string | null;
};

/** The elements of a page that a check looks at. */
const LOOKED_AT: ReadonlySet<string> = new Set(["meta", "script"]);
const HTML_TYPES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

/** The first value of a header; undefined where it was not sent. */
export const headerOf = (headers: ProbeAnswer["headers"], name: string): string | undefined =>
  headers.get(name)?.[0];

/** The `meta` and `script` tags of an answer that is HTML, or says nothing of what it is; null for another. */
export function tagsOfAnswer({ headers, body }: ProbeAnswer): readonly Tag[] | null {
  const type = headerOf(headers, "content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "" && !HTML_TYPES.has(type)) return null;
  return tagsOf(Buffer.from(body).toString("utf8"), LOOKED_AT);
}

/** What `<meta http-equiv>` tags say in place of a header. */
export function metaHeaders({ tags }: Page, name: string): string[] {
  return (tags ?? [])
    .filter((tag) => tag.name === "meta" && tag.attributes.get("http-equiv")?.toLowerCase() === name)
    .flatMap((tag) => tag.attributes.get("content") ?? []);
}
