import { describe, expect, it } from "vitest";
import { scrub } from "../../../src/features/safety-scrub/scrub.ts";
import { scrubCorpus } from "../../support/scrub-corpus.ts";

describe("every true case is replaced by the marker of its kind, and nothing around it changes", () => {
  it.each(scrubCorpus("true"))("$name", ({ text, scrubbed, secrets }) => {
    const result = scrub(text);
    expect(result.scrubbed).toBe(scrubbed);
    expect(new Set(result.kinds)).toEqual(new Set(secrets.map(({ kind }) => kind)));
    expect(result.redacted).toBe(true);
  });
});

describe("every near miss stays as it is", () => {
  it.each(scrubCorpus("near-miss"))("$name", ({ text }) => {
    expect(scrub(text)).toEqual({ scrubbed: text, redacted: false, kinds: [] });
  });
});
