import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAnswer } from "../../../src/core/models/parse-answer.ts";
import { LIMITS } from "../../../src/core/limits.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const HOSTILE_CHARS = 1_000_000;
const HOSTILE_MS = 1_000;

const nested = (depth: number): string => `${"[".repeat(depth)}1${"]".repeat(depth)}`;

describe("parseAnswer", () => {
  it.each([
    ["alone", '{"a":1}'],
    ["with white space around", '\n {"a":1} \n'],
    ["in a fence", '```json\n{"a":1}\n```'],
    ["among words", 'Here is [1] the answer: {"a":1} Anything else?'],
    ["after thoughts", '<think>{"a": 2?</think>{"a":1}'],
    ["with single quotes and a comma too many", "{'a': 1,}"],
    ["with its end missing in a fence", '```json\n{"a":1\n```'],
    ["with a remark", '{"a": 1 /* one */}'],
  ])("reads JSON %s", (_how, text) => {
    expect(parseAnswer(text)).toEqual({ a: 1 });
  });

  it("gives any JSON value back as it was", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseAnswer(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([[""], ["I cannot help with that."], ["{{{{"], ["<html></html>"]])("finds none in %j", (text) => {
    expect(parseAnswer(text)).toBeUndefined();
  });

  it("drops what a row cannot hold: NUL characters and halves of pairs", () => {
    expect(parseAnswer('{"a\\u0000":["\\u0000x\\ud800"]}')).toEqual({ a: ["x\ufffd"] });
  });

  it("reads nothing that is nested deeper than an input may be", () => {
    expect(JSON.stringify(parseAnswer(nested(LIMITS.jsonDepth)))).toBe(nested(LIMITS.jsonDepth));
    expect(parseAnswer(nested(LIMITS.jsonDepth + 1))).toBeUndefined();
  });

  it("keeps a key named __proto__ a plain key", () => {
    expect(Object.keys(parseAnswer('{"__proto__":{"x":1}}') as object)).toEqual(["__proto__"]);
  });

  it.each(["{", "[", '"', "'", "`", ",", '{"a":"', '{"a": "x\n', "it's ", "```json{", "\\", "{'a':`"])(
    "is soon done with a megabyte of %j",
    async (piece) => {
      const text = `{"a":${piece.repeat(HOSTILE_CHARS / piece.length)}`;
      const spentMs = await cpuMs(() => [parseAnswer(text), parseAnswer(text.slice(0, 16_384))]);
      expect(spentMs).toBeLessThan(HOSTILE_MS);
    },
  );
});
