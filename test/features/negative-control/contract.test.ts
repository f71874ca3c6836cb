import { describe, expect, it } from "vitest";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run } = await testedCapability("negative-control");
const models = offlineModels();

const DIFF = "@@ -1,3 +1,3 @@\n function f(x) {\n-  return x < limit;\n+  return x <= limit;\n }\n";
const INVERSE = "@@ -1,3 +1,3 @@\n function f(x) {\n-  return x <= limit;\n+  return x < limit;\n }\n";
const CODE = "function head(xs) {\n  if (xs.length === 0) return null;\n  return xs[0];\n}\n";
const REVERTED = "function head(xs) {\n  return xs[0];\n}\n";

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, { output: await run(vector.input, { models }) })).toBe(true);
  });

  it("costs 5 MESH and needs a small model of the brain pool", () => {
    expect(capability).toMatchObject({ pool: "brain", model: "small" });
    expect(capability.offers).toEqual([{ surface: "marketplace", price: { currency: "MESH", amount: 5 } }]);
  });

  it("reads the fix from fix, then patch, then diff, then code, and keeps its white space", () => {
    const all = { fix: "", patch: "", diff: " d\n", code: "c" };
    expect(parse(all)).toMatchObject({ fix: " d\n" });
    expect(parse({ ...all, patch: "p" })).toMatchObject({ fix: "p" });
    expect(parse({ ...all, fix: "f" })).toMatchObject({ fix: "f" });
    expect(parse({ code: "c" })).toMatchObject({ fix: "c" });
  });

  it.each([{}, { fix: "" }, { fix: " \n" }, { fix: 5 }, { fix: "x", context: 5 }])("refuses %j", (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("refuses a fix of more than 100,000 characters, and cuts none: a diff that is cut is another one", () => {
    expect(parse({ fix: "x".repeat(100_000) })).toMatchObject({ fix: "x".repeat(100_000) });
    expect(() => parse({ fix: "x".repeat(100_001) })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});

describe("the revert of a diff", () => {
  it("is its inverse, whatever the model says", async () => {
    const asked = scriptedModels({
      assertion: "f(limit) is true with `x <= limit`.",
      minimal_revert: "rm -rf /",
      confirmed_non_vacuous: { how: "I ran it.", confirmed: true },
    });
    const output = await run({ fix: DIFF }, { models: asked });
    expect(output.minimal_revert).toBe(INVERSE);
    expect(output.confirmed_non_vacuous.how).not.toContain("I ran it.");
    expect(JSON.parse(asked.asked[0]?.messages[1]?.content ?? "")).toEqual({
      fix: DIFF,
      minimal_revert: INVERSE,
    });
  });

  it.each([
    ["quotes the changed code", "f(limit) gives true, for it says `x <= limit`.", true],
    ["quotes what the revert brings back", "It must not be `return x < limit;`.", true],
    ["names nothing of the change", "The function works.", false],
    ["names only what stands on both sides", "`f` gives what `limit` says.", false],
  ])("leaves an assertion that %s with confirmed as it should be", async (_name, assertion, confirmed) => {
    const output = await run({ fix: DIFF }, { models: scriptedModels({ assertion }) });
    expect(output.confirmed_non_vacuous.confirmed).toBe(confirmed);
    expect(output.confirmed_non_vacuous.how).toContain("No test was run.");
  });

  it("shows nothing where it only touches comments, whatever the assertion quotes", async () => {
    const fix = "@@ -1,2 +1,2 @@\n-// adds\n+// sums\n const add = (a, b) => a + b;\n";
    const output = await run(
      { fix },
      { models: scriptedModels({ assertion: "`// sums` is there, not adds." }) },
    );
    expect(output.confirmed_non_vacuous).toMatchObject({
      confirmed: false,
      how: expect.stringContaining("comments"),
    });
  });

  it("is not confirmed where binary files changed as well", async () => {
    const fix = `diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\ndiff --git a/f.js b/f.js\n--- a/f.js\n+++ b/f.js\n${DIFF}`;
    const output = await run({ fix }, { models: scriptedModels({ assertion: "`x <= limit`" }) });
    expect(output.confirmed_non_vacuous).toMatchObject({
      confirmed: false,
      how: expect.stringContaining("binary"),
    });
  });
});

describe("the revert of code", () => {
  const propose = async (minimal_revert: string, assertion = "head([]) is null by `xs.length === 0`.") => {
    const output = await run({ fix: CODE }, { models: scriptedModels({ assertion, minimal_revert }) });
    expect(output.minimal_revert).toBe(minimal_revert);
    return output.confirmed_non_vacuous;
  };

  it.each([
    [
      "a diff that applies",
      "@@ -1,4 +1,3 @@\n function head(xs) {\n-  if (xs.length === 0) return null;\n   return xs[0];\n }\n",
      true,
    ],
    ["the code without the guard", REVERTED, true],
    ["a diff that does not apply", "@@ -1,2 +1,1 @@\n-def head(xs):\n return 1\n", false],
    ["the code as it is", CODE, false],
    ["words", "Take the guard away.", false],
    ["a diff of two files", `--- a/f\n+++ b/f\n${DIFF}--- a/g\n+++ b/g\n${DIFF}`, false],
  ])("that is %s is confirmed as it should be", async (_name, revert, confirmed) => {
    expect((await propose(revert)).confirmed).toBe(confirmed);
  });

  it("is not confirmed where the assertion names nothing that it changes", async () => {
    expect((await propose(REVERTED, "head gives `xs[0]`.")).confirmed).toBe(false);
  });

  it.each([
    {},
    { assertion: "a" },
    { assertion: "", minimal_revert: "r" },
    { assertion: "a", minimal_revert: " " },
  ])("cannot be missing from an answer such as %j", async (answer) => {
    await expect(run({ fix: CODE }, { models: scriptedModels(answer) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });
});

describe("the offline assertion about a line that was rewritten", () => {
  it("quotes whole lines where they differ in several places", async () => {
    const fix =
      '--- a/f.js\n+++ b/f.js\n@@ -1,1 +1,2 @@\n-  return a / b;\n+  if (b === 0) throw new RangeError("b is 0");\n+  return a / b;\n';
    const { assertion } = (await run({ fix }, { models })) as { assertion: string };
    expect(assertion).toContain('`if (b === 0) throw new RangeError("b is 0");` and `return a / b;` differ');
  });
});
