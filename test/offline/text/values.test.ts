import { describe, expect, it } from "vitest";
import { findValues, parseNumber, type ValueKind } from "../../../src/offline/text/values.ts";

const values = (text: string, kind: ValueKind): unknown[] => findValues(text, kind).map(({ value }) => value);

describe("findValues", () => {
  it.each<[ValueKind, string, unknown[]]>([
    ["email", "Write to ann.lee+x@mail.example.co.uk, or @bob.", ["ann.lee+x@mail.example.co.uk"]],
    [
      "phone",
      "+1 (555) 123-4567 or 030 1234567; on 2026-11-21 pay $1234567.",
      ["+1 (555) 123-4567", "030 1234567"],
    ],
    ["url", "See (https://a.test/x?y=1). Or www.b.test!", ["https://a.test/x?y=1", "www.b.test"]],
    [
      "date",
      "2026-11-21, 3 March 2026, March 4th, 2026, 21.11.2025",
      ["2026-11-21", "2026-03-03", "2026-03-04", "2025-11-21"],
    ],
    ["date", "12/31/2026 and 31/12/2025", ["2026-12-31", "2025-12-31"]],
    ["date", "31 April 2026, 2026-13-01, 1.2.3, March", []],
    ["time", "At 3:30 pm, 15:45 and 12 am, not 25:00.", ["15:30", "15:45", "00:00"]],
    ["amount", "$1,234.50, 12,50 €, USD 3k, 2.5 million dollars, 7 apples", [1234.5, 12.5, 3000, 2_500_000]],
    ["percent", "8.5% and 20 percent of 5", [8.5, 20]],
    ["number", "Three of 34 dogs on 2026-11-21 in v1.2.3 at a1@b.co", [3, 34]],
    ["identifier", "Invoice INV-204, ticket #4521, order 2026-11-21, $500", ["INV-204", "4521"]],
    ["identifier", "Order 4521 of 3 lamps, invoice number 77", ["4521", "77"]],
    ["role", "Ann is a 34-year-old software engineer at Acme.", ["software engineer"]],
    ["person", "John Smith met Maria Garcia-Lopez.", ["John Smith", "Maria Garcia-Lopez"]],
    ["place", "She moved from Paris to New York.", ["Paris", "New York"]],
    ["organization", "He left Acme Corp. for Globex Inc.", ["Acme Corp.", "Globex Inc."]],
  ])("finds each %s of %j", (kind, text, expected) => {
    expect(values(text, kind)).toEqual(expected);
  });

  it("looks through 50,000 characters of every kind within two seconds", () => {
    const long = ["1", " 1", "a@", "1.", "http://", "(1", "$1,", "A-1_"].map((part) =>
      part.repeat(50_000 / part.length),
    );
    const start = process.cpuUsage();
    const kinds: ValueKind[] = [
      "email",
      "phone",
      "url",
      "date",
      "time",
      "amount",
      "percent",
      "number",
      "identifier",
      "role",
    ];
    for (const text of long) for (const kind of kinds) findValues(text, kind);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  });
});

it.each([
  ["1,234.56", 1234.56],
  ["1.234,56", 1234.56],
  ["12,5", 12.5],
  ["12,500", 12_500],
  ["-3", -3],
])("parseNumber reads %s as %d", (text, value) => {
  expect(parseNumber(text)).toBe(value);
});
