import { describe, expect, it } from "vitest";
import handler from "../../../src/features/safety-scrub/handler.ts";
import safetyScrub from "../../../src/features/safety-scrub/index.ts";
import { scrub } from "../../../src/features/safety-scrub/scrub.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { testedCapability } from "../../support/capability.ts";
import { matches } from "../../../src/core/catalog/vectors.ts";
import { handlerContext } from "../../support/handler-context.ts";

const { vectors } = await testedCapability("safety-scrub");
const context = handlerContext();
const inputOf = (body: Record<string, unknown>): unknown => parseInput(safetyScrub, body)["text"];

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
    const parsed = safetyScrub.input.parse(parseInput(safetyScrub, input));
    const output = safetyScrub.output.parse(await handler(parsed, context));
    expect(matches(output, expected)).toBe(true);
  });

  it("takes text first, then content, then input, each only when those before are empty", () => {
    expect(inputOf({ text: "a", content: "b", input: "c" })).toBe("a");
    expect(inputOf({ text: "", content: "b", input: "c" })).toBe("b");
    expect(inputOf({ text: null, input: "c" })).toBe("c");
  });

  it("never trims or shortens the text", () => {
    const text = `  \n${"long ".repeat(10_000)}\t`;
    expect(inputOf({ text })).toBe(text);
    expect(scrub(text).scrubbed).toBe(text);
  });

  it.each([{}, { text: "" }, { text: 7 }, { text: ["a"] }, { content: "" }])("refuses %j", (body) => {
    expect(() => parseInput(safetyScrub, body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("lists several kinds in the order of the contract, whatever their order in the text", () => {
    const text = "api_key=9f8d7c6b5a4e3f2d1c0b9a8e, 123-45-6789, 4242424242424242";
    expect(scrub(text).kinds).toEqual(["card", "national_id", "api_key"]);
  });
});
