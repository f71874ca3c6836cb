import {
  applyPatch,
  createTwoFilesPatch,
  FILE_HEADERS_ONLY,
  formatPatch,
  OMIT_HEADERS,
  structuredPatch,
} from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confirmDiff } from "../../../src/features/negative-control/confirmation.ts";
import { invertDiff, parseDiff } from "../../../src/features/negative-control/diff.ts";

/** Texts that share many lines, with and without a line end at the end, with lines that look like marks of a diff. */
const lines = fc.array(fc.constantFrom("", "a", "b", "c", "-- x", "++ y", " z", "\\", "@@", "é", "a\r"), {
  maxLength: 14,
});
const text = fc
  .tuple(lines, fc.boolean())
  .map(([all, ends]) => all.join("\n") + (ends && all.length > 0 ? "\n" : ""));

const inverse = (diff: string): string => {
  const files = parseDiff(diff);
  if (files === undefined) throw new Error(`This is no diff: ${diff}`);
  return invertDiff(files);
};
const apply = (source: string, diff: string): string | false =>
  applyPatch(source, diff, { autoConvertLineEndings: false });

describe("the inverse of a diff", () => {
  it("gives back the original text, byte for byte, and is found to do so", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 3 }), (before, after, context) => {
        fc.pre(before !== after);
        const diff = createTwoFilesPatch("a/f", "b/f", before, after, "", "", {
          context,
          headerOptions: FILE_HEADERS_ONLY,
        });
        expect(apply(before, diff)).toBe(after);
        expect(apply(after, inverse(diff))).toBe(before);
        expect(confirmDiff(diff, inverse(diff), "").how).toContain("gives back what was there before");
      }),
      { numRuns: 1_000 },
    );
  });

  it("also without file headers", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const diff = formatPatch(structuredPatch("", "", before, after, "", ""), OMIT_HEADERS);
        expect(apply(after, inverse(diff))).toBe(before);
      }),
    );
  });

  it("inverted again is the diff", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const diff = createTwoFilesPatch("a/f", "b/f", before, after, "", "", {
          headerOptions: FILE_HEADERS_ONLY,
        });
        expect(inverse(inverse(diff))).toBe(diff);
      }),
    );
  });
});

describe("a diff with line ends of Windows", () => {
  it("is inverted with them, also where an editor took the mark of an empty line", () => {
    const before = "a\r\n\r\nb\r\n";
    const after = "a\r\n\r\nc\r\n";
    const diff = createTwoFilesPatch("a/f", "b/f", before, after, "", "", {
      headerOptions: FILE_HEADERS_ONLY,
    });
    const trimmed = diff.replace("\n \r\n", "\n\r\n");
    expect(trimmed).not.toBe(diff);
    expect(inverse(trimmed)).toBe(inverse(diff));
    expect(apply(after, inverse(trimmed))).toBe(before);
  });
});

describe("a diff whose own lines end as on Windows", () => {
  it("is recounted and inverted as well", () => {
    const diff = "@@ -1,9 +1,9 @@\r\n-a\r\n+b\r\n c\r\n";
    expect(apply("b\r\nc\r\n", inverse(diff))).toBe("a\r\nc\r\n");
  });
});

describe("a diff is read", () => {
  const HUNK = "@@ -1,2 +1,2 @@\n-a\n+b\n c\n";
  const BACK = "@@ -1,2 +1,2 @@\n-b\n+a\n c\n";

  it("from git, with files made, removed, renamed and of another mode, the last file first", () => {
    const diff = [
      "diff --git a/new.txt b/new.txt\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+made\n",
      "diff --git a/old.txt b/kept.txt\nsimilarity index 90%\nrename from old.txt\nrename to kept.txt\n--- a/old.txt\n+++ b/kept.txt\n",
      HUNK,
      "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
    ].join("");
    expect(inverse(diff)).toBe(
      [
        "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n",
        "diff --git a/kept.txt b/old.txt\nrename from kept.txt\nrename to old.txt\n--- a/kept.txt\n+++ b/old.txt\n",
        BACK,
        "diff --git a/new.txt b/new.txt\ndeleted file mode 100644\n--- a/new.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-made\n",
      ].join(""),
    );
  });

  it.each([
    ["in a fence, with words around it", `Here it is:\n\`\`\`diff\n${HUNK}\`\`\`\nThat was it.`],
    [
      "in a mail of git format-patch",
      `From 1234 Mon Sep 17\nSubject: [PATCH] x\n\n---\n${HUNK}-- \n2.43.0\n\n`,
    ],
    ["with words behind it", `${HUNK}\nThis fixes it.\n`],
    ["with wrong line counts", HUNK.replace("-1,2 +1,2", "-1,7 +1,9")],
    ["with counts that are too small", HUNK.replace("-1,2 +1,2", "-1 +1")],
    [
      "with a blank line for an empty context line",
      `@@ -1,3 +1,3 @@\n-a\n+b\n\n c\n`.replace("\n\n c", "\n c").replace("1,3 +1,3", "1,2 +1,2"),
    ],
  ])("%s", (_name, diff) => {
    expect(inverse(diff)).toContain(BACK);
  });

  it.each([
    "",
    "const a = 1;\nconst b = a - 1;\n",
    "- one\n+ two\n",
    "@@ this is a decorator @@",
    "@@ -1,1 +1,1 @@\n same\n",
    "@@ -1,1 +1,1 @@\nno mark\n",
    "--- a\n+++ b\n",
    "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
    "@@ -1,4 +1,4 @@\n-a\n+b\nno mark here\n-c\n+d\n",
  ])("but not from %j", (other) => {
    expect(parseDiff(other)).toBeUndefined();
  });

  it("or not, but never with an error, whatever the text", () => {
    const piece = fc.constantFrom(
      "diff --git x",
      "diff --git a/f b/f",
      "--- a",
      "+++ b",
      "@@ -1 +1 @@",
      "@@ -0,0 +1,2 @@",
      "-a",
      "+b",
      " c",
      "",
      "\\ No newline at end of file",
      "rename from x",
      "Binary files a and b differ",
      "copy from a",
      "```",
      "-- ",
      "2.4",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const files = parseDiff(pieces.join("\n"));
        if (files !== undefined) expect(typeof invertDiff(files)).toBe("string");
      }),
      { numRuns: 2_000 },
    );
  });
});
