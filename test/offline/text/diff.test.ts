import { applyPatch, createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedFiles, invertDiff, isDiff } from "../../../src/offline/text/diff.ts";

const DIFF = `diff --git a/src/cart.ts b/src/cart.ts
index 1111111..2222222 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,3 +1,4 @@
 const items = [];
-if (count > 0) pay();
+if (count >= 0) pay();
+log(count);
 done();
`;

const lines = fc
  .array(fc.stringMatching(/^[ -~]{0,12}$/), { maxLength: 12 })
  .map((all) => all.map((line) => `${line}\n`).join(""));

describe("isDiff", () => {
  it("knows plain, git and fenced diffs", () => {
    expect([DIFF, DIFF.slice(DIFF.indexOf("---")), `\`\`\`diff\n${DIFF}\`\`\``].map(isDiff)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each(["", "- a list\n- of items", "--- a\n+++ b", "@@ -1,9 +1,9 @@\n+cut off", "a + b - c"])(
    "takes %j for no diff",
    (text) => {
      expect(isDiff(text)).toBe(false);
      expect(invertDiff(text)).toBeUndefined();
    },
  );
});

it("changedFiles gives path, added and removed lines of each file", () => {
  expect(changedFiles(DIFF)).toEqual([
    {
      path: "src/cart.ts",
      added: ["if (count >= 0) pay();", "log(count);"],
      removed: ["if (count > 0) pay();"],
    },
  ]);
});

describe("invertDiff", () => {
  it("undoes the diff of any two texts", () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (before, after, bare) => {
        // Without the last line's end, a diff carries a remark that has to stay with its line.
        const end = bare ? after.trimEnd() : after;
        fc.pre(before !== end);
        const inverse = invertDiff(createTwoFilesPatch("a/f", "b/f", before, end));
        expect(applyPatch(end, inverse ?? "")).toBe(before);
      }),
    );
  });

  it("is the identity when made twice, from its normal form on", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        fc.pre(before !== after);
        const once = invertDiff(createTwoFilesPatch("a/f", "b/f", before, after));
        const normal = invertDiff(once ?? "");
        expect(invertDiff(invertDiff(normal ?? "") ?? "")).toBe(normal);
      }),
    );
  });

  it("puts removed lines before added ones", () => {
    expect(invertDiff(DIFF)).toContain("-if (count >= 0) pay();\n-log(count);\n+if (count > 0) pay();\n");
  });
});
