import fc from "fast-check";
import { expect, it } from "vitest";
import { tagsOf } from "../../../src/features/market-audit-external-posture/html.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const ALL = new Set(["a", "b", "meta", "p", "script", "title"]);

/** Far more than one pass over a megabyte takes, and far less than the square of its pieces. */
const LINEAR_MS = 2_000;

const shown = (html: string): unknown[] =>
  tagsOf(html, ALL).map(({ name, attributes }) => [name, Object.fromEntries(attributes)]);

it.each([
  ["", []],
  ["a < b", []],
  ["<p>", [["p", {}]]],
  ["</p><P/>", [["p", {}]]],
  ["<meta name=generator content=x>", [["meta", { name: "generator", content: "x" }]]],
  ['<META NAME="Generator" CONTENT=\'a "b" c\' >', [["meta", { name: "Generator", content: 'a "b" c' }]]],
  ["<a b = c d>", [["a", { b: "c", d: "" }]]],
  ["<a b=1 B=2>", [["a", { b: "1" }]]],
  ['<a b="&quot;&amp;&#39;&lt;&unknown;">', [["a", { b: "\"&'<&unknown;" }]]],
  ['<a\nhref="/x"\n>', [["a", { href: "/x" }]]],
  ['<a b=">" c>', [["a", { b: ">", c: "" }]]],
  [
    "<script>'<a>'</script><b>",
    [
      ["script", {}],
      ["b", {}],
    ],
  ],
  [
    "<title><a></TITLE><b>",
    [
      ["title", {}],
      ["b", {}],
    ],
  ],
  ["<!-- <a> --><b>", [["b", {}]]],
  ["<!-- <a>", []],
  ["<script><a>", [["script", {}]]],
  ['<a b="', [["a", { b: "" }]]],
  ["<a b=", [["a", { b: "" }]]],
  ["<a b", [["a", { b: "" }]]],
  ["<a", [["a", {}]]],
])("reads %j", (html, tags) => {
  expect(shown(html)).toEqual(tags);
});

it("keeps the tags that are looked at, and of those so many", () => {
  const names = new Set(["meta"]);
  expect(tagsOf("<p><meta><a>", names).map(({ name }) => name)).toEqual(["meta"]);
  expect(tagsOf("<meta>".repeat(20_000), names)).toHaveLength(10_000);
  const attributes = Array.from({ length: 300 }, (_, n) => `a${n}`).join(" ");
  const [tag] = tagsOf(`<meta ${attributes}>`, names);
  expect(tag?.attributes.size).toBe(100);
});

it("ends, whatever it reads", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    "a",
    "=",
    '"',
    "'",
    "/",
    " ",
    "<!--",
    "-->",
    "<script",
    "</script",
    "&amp;",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(tagsOf(pieces.join(""), ALL).length).toBeLessThanOrEqual(pieces.length);
    }),
  );
});

it.each([
  ["open tags", "<a "],
  ["comments", "<!--"],
  ["quotes", '<a b="'],
  ["attributes without end", "<a b='c\" "],
  ["equals signs", "<a ="],
  ["raw text", "<script><title>"],
  ["references", "&amp"],
])("reads a page of %s in linear time", async (_what, piece) => {
  const html = piece.repeat(1_000_000 / piece.length);
  expect(await cpuMs(() => tagsOf(html, ALL))).toBeLessThan(LINEAR_MS);
});
