import type { ProbeAnswer } from "../../../src/features/market-audit-external-posture/probe/probe.ts";
import { type Page, tagsOfAnswer } from "../../../src/features/market-audit-external-posture/page.ts";

export type Written = {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly html?: string;
  readonly status?: number;
};

/** An answer as a probe gives it. */
export function answerOf({ headers = {}, html = "", status = 200 }: Written): ProbeAnswer {
  return {
    status,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
    body: Buffer.from(html),
    complete: true,
  };
}

/** A page of www.example.com. */
export function pageOf(written: Written, more: Partial<Page> = {}): Page {
  const answer = answerOf(written);
  return {
    host: "www.example.com",
    status: answer.status,
    headers: answer.headers,
    cookies: answer.headers.get("set-cookie") ?? [],
    tags: tagsOfAnswer(answer),
    trusted: true,
    leadsTo: null,
    ...more,
  };
}
