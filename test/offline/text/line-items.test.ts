import { describe, expect, it } from "vitest";
import { fillSchema } from "../../../src/offline/text/fill-schema.ts";
import { lineItems } from "../../../src/offline/text/line-items.ts";

const fields = (record: string): string => {
  const of = (label: string): string => new RegExp(`^${label}: (.*)$`, "m").exec(record)?.[1] ?? "";
  return `${of("quantity")} ${of("item")} ${of("price")} ${of("total")}`;
};

describe("the lines of an order", () => {
  it.each([
    ["Widget, 2 x $10.00\nGadget, 1 x $5.50", ["2 Widget 10 20", "1 Gadget 5.5 5.5"]],
    [
      "Order #4471 from Maria: 3 laptops at $999.00 each and 2 mice at $25.50 each.",
      ["3 laptops 999 2997", "2 mice 25.5 51"],
    ],
    ["2x Green tea - £1.50", ["2 Green tea 1.5 3"]],
    ["5 oak chairs for 1.200,00 €", ["5 oak chairs 1200 6000"]],
    ["We met at 3 and left at 5.", []],
    ["Call 555 0199 for a price of $5", []],
    ["", []],
  ])("of %j are %j", (text, lines) => {
    expect(lineItems(text).map(fields)).toEqual(lines);
  });

  it("fill a list whose parts have a quantity or a price, and no other list", () => {
    const text = "Ann Lee ordered 3 lamps at $12.50 and 2 rugs at $80.00.";
    const list = (parts: Record<string, unknown>) =>
      fillSchema(text, {
        type: "object",
        properties: { items: { type: "array", items: { type: "object", properties: parts } } },
      }).value;
    expect(
      list({ name: { type: "string" }, quantity: { type: "integer" }, price: { type: "number" } }),
    ).toEqual({
      items: [
        { name: "lamps", quantity: 3, price: 12.5 },
        { name: "rugs", quantity: 2, price: 80 },
      ],
    });
    expect(JSON.stringify(list({ name: { type: "string" } }))).not.toContain("lamps");
  });
});
