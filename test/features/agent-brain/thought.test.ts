import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepableFacts, shownMemories, usedMemories } from "../../../src/features/agent-brain/thought.ts";

const memory = (nth: number) => ({
  id: `mem_${nth}`,
  content: `content ${nth}`,
  created: new Date(Date.UTC(2026, 0, nth)),
});
const memories = [memory(1), memory(2), memory(3)];

describe("the memories that a model names", () => {
  it("are shown to it under short refs, without their ids", () => {
    expect(shownMemories(memories.slice(0, 2))).toEqual([
      { ref: "m1", content: "content 1", created: "2026-01-01T00:00:00.000Z" },
      { ref: "m2", content: "content 2", created: "2026-01-02T00:00:00.000Z" },
    ]);
  });

  it("count each once, in the order of recalling, as far as they were recalled", () => {
    expect(usedMemories(memories, ["m3", "M1 ", "m3", "m4", "m0", "mem_2", "", "content 2"])).toEqual([
      { id: "mem_1", content: "content 1" },
      { id: "mem_3", content: "content 3" },
    ]);
  });
});

describe("the facts that a model wants kept", () => {
  it("are cleaned, cut and each kept once", () => {
    const facts = [" Ada \n likes\ttea. ", "ada likes TEA.", "", "  ", "nul\0 \ud800", "x".repeat(600)];
    expect(keepableFacts(facts)).toEqual(["Ada likes tea.", "nul \ufffd", "x".repeat(500)]);
  });

  it("can always be stored as they are", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\0", "\ud83d", " ", "a"));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (facts) => {
        for (const fact of keepableFacts(facts)) {
          expect(fact).toBe(fact.trim());
          expect(fact).not.toBe("");
          expect(fact.isWellFormed() && !fact.includes("\0")).toBe(true);
          expect(Array.from(fact).length).toBeLessThanOrEqual(500);
        }
      }),
    );
  });
});
