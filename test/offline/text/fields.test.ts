import { describe, expect, it } from "vitest";
import {
  findField,
  findList,
  labelledFields,
  parseBoolean,
  parseList,
} from "../../../src/offline/text/fields.ts";

const FORM = `Invoice
**Invoice No:** INV-204
Bill To: Acme Corp; Email: a@b.test, Phone: 555 1234
| Status | paid |
Total due = $12.50
See https://x.test: there.
Our favourite colour is deep blue and we like it.`;

describe("labelledFields", () => {
  it("finds labels on lines, in rows, in tables and in Markdown, and none in addresses", () => {
    expect(labelledFields(FORM).map(({ label, value }) => [label, value])).toEqual([
      ["Invoice No", "INV-204"],
      ["Bill To", "Acme Corp"],
      ["Email", "a@b.test"],
      ["Phone", "555 1234"],
      ["Status", "paid"],
      ["Total due", "$12.50"],
    ]);
  });

  it("needs no more than a second for 50,000 characters of anything", () => {
    const start = process.cpuUsage();
    for (const part of ["a", "a ", "a: ", "\n ", ", a", "a=", "| a "])
      labelledFields(part.repeat(50_000 / part.length));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
  });
});

describe("findField", () => {
  it.each([
    ["invoice_number", "INV-204"],
    ["customer", "Acme Corp"],
    ["total", "$12.50"],
    ["status", "paid"],
    ["favouriteColour", "deep blue"],
  ])("reads %s by its name, a synonym or from prose", (key, value) => {
    expect(findField(FORM, key)).toBe(value);
  });

  it("gives nothing that the text does not say", () => {
    expect(findField(FORM, "shoe_size")).toBeUndefined();
  });

  it("takes a key with signs of regular expressions as it is", () => {
    expect(findField("x", "a(b[c*")).toBeUndefined();
  });
});

describe("findList", () => {
  it("reads the items under a heading, those of a labelled field, and those of a sentence", () => {
    expect(findList("Tasks:\n- one\n- two\n\nOther:\n- three", "tasks")).toEqual(["one", "two"]);
    expect(findList("Skills: SQL, Go and Rust", "skills")).toEqual(["SQL", "Go", "Rust"]);
    expect(findList("Her skills are SQL, Go and Rust. She sings.", "skills")).toEqual(["SQL", "Go", "Rust"]);
    expect(findList("Her skills are many.", "tools")).toBeUndefined();
  });
});

it("parseList keeps the commas within items that semicolons part", () => {
  expect(parseList("Paris, France; Rome, Italy")).toEqual(["Paris, France", "Rome, Italy"]);
});

it("parseBoolean reads yes, no and their like only", () => {
  expect(["Yes, please", "no", "Enabled", "✓", "0", "perhaps"].map(parseBoolean)).toEqual([
    true,
    false,
    true,
    true,
    false,
    undefined,
  ]);
});
