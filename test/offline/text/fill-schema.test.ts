import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillSchema, schemaOfExample } from "../../../src/offline/text/fill-schema.ts";

type Schema = Record<string, unknown>;

const fromExample = (text: string, example: unknown): unknown =>
  fillSchema(text, schemaOfExample(example)).value;

const INVOICE =
  "Invoice INV-204 from Acme Corp. dated March 3rd, 2026 (due 17.03.2026). Contact Maria Garcia-Lopez at " +
  "maria@acme.test or +1 (555) 123-4567 in New York. Three laptops at $1,234.50 each, the total is $3,703.50, tax 8.5%.";

describe("fillSchema", () => {
  it("fills a flat example from prose", () => {
    const example = {
      invoice_number: "",
      invoice_date: "",
      due_date: "",
      vendor: "",
      contact_name: "",
      contact_email: "",
      phone: "",
      city: "",
      total: 0,
      laptops: 0,
      price: 0,
      tax: 0,
    };
    expect(fromExample(INVOICE, example)).toEqual({
      invoice_number: "INV-204",
      invoice_date: "2026-03-03",
      due_date: "2026-03-17",
      vendor: "Acme Corp.",
      contact_name: "Maria Garcia-Lopez",
      contact_email: "maria@acme.test",
      phone: "+1 (555) 123-4567",
      city: "New York",
      total: 3703.5,
      laptops: 3,
      price: 1234.5,
      tax: 8.5,
    });
  });

  it("fills another text with other values", () => {
    const text = "John Smith is a 34 year old software engineer from Berlin. He earns $85,000 a year.";
    expect(fromExample(text, { name: "", age: 0, job: "", city: "", salary: 0 })).toEqual({
      name: "John Smith",
      age: 34,
      job: "software engineer",
      city: "Berlin",
      salary: 85_000,
    });
  });

  it("makes records of list items, table rows and lines of separated values", () => {
    const people = { people: [{ name: "", email: "" }] };
    const expected = {
      people: [
        { name: "Ann Lee", email: "ann@x.test" },
        { name: "Bob Ray", email: "bob@y.test" },
      ],
    };
    expect(fromExample("People:\n- Ann Lee, ann@x.test\n- Bob Ray, bob@y.test", people)).toEqual(expected);
    const table = "| Name | Email |\n|---|---|\n| Ann Lee | ann@x.test |\n| Bob Ray | bob@y.test |";
    expect(fromExample(table, people)).toEqual(expected);
    expect(
      fromExample("name,qty,price\nApple,3,1.20\nPear,5,0.80", [{ name: "", qty: 0, price: 0 }]),
    ).toEqual([
      { name: "Apple", qty: 3, price: 1.2 },
      { name: "Pear", qty: 5, price: 0.8 },
    ]);
  });

  it("reads yes and no from what a sentence denies", () => {
    const text = "The room is not available on Mondays. Breakfast is included.";
    expect(fromExample(text, { available: true, breakfast: true })).toEqual({
      available: false,
      breakfast: true,
    });
  });

  it("names what the text says nothing of, gives null where it may and leaves out what is optional", () => {
    const schema = {
      type: "object",
      properties: {
        priority: { enum: ["low", "normal", "urgent"] },
        owner_email: { type: ["string", "null"] },
        temperature: { type: "number", minimum: 30 },
        phone: { type: "string" },
      },
      required: ["priority", "owner_email", "temperature"],
    };
    expect(fillSchema("The patient's case is urgent.", schema)).toEqual({
      value: { priority: "urgent", owner_email: null, temperature: 30 },
      missing: ["/owner_email", "/temperature", "/phone"],
    });
  });

  it("follows references and takes the first alternative that is more than null", () => {
    const schema = {
      $defs: { mail: { type: "string", format: "email" } },
      type: "object",
      properties: { contact: { anyOf: [{ type: "null" }, { $ref: "#/$defs/mail" }] } },
      required: ["contact"],
    };
    expect(fillSchema("Ask a@b.test.", schema).value).toEqual({ contact: "a@b.test" });
    expect(fillSchema("Ask nobody.", schema).value).toEqual({ contact: null });
  });

  it("ends for a schema that holds itself", () => {
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, child: { $ref: "#" } },
      required: ["child"],
    };
    expect(fillSchema("Name: Ann", schema).value).toMatchObject({ name: "Ann" });
  });

  it("leaves off in time where lists within lists multiply in a long text", () => {
    const list = (depth: number): Schema =>
      depth === 0
        ? { type: "string" }
        : { type: "array", items: { type: "object", properties: { part: list(depth - 1) } } };
    expect(fillSchema(INVOICE.repeat(200), list(6)).value).toBeInstanceOf(Array);
  });

  it("does not let a key reach the prototype", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    fillSchema("__proto__: polluted", schema);
    expect(({} as Schema)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(fillSchema("x", schema).value)).toBe(Object.prototype);
  });
});

const keys = fc.constantFrom(
  "name",
  "email",
  "total",
  "due_date",
  "tags",
  "is_open",
  "count",
  "summary",
  "city",
  "x1",
);
const leaves: fc.Arbitrary<Schema> = fc.oneof(
  fc
    .record({ min: fc.nat(8), span: fc.nat(20) })
    .map(({ min, span }) => ({ type: "string", minLength: min, maxLength: min + span })),
  fc.constantFrom<Schema>(
    { type: "string" },
    { type: "boolean" },
    { type: "null" },
    { type: ["number", "null"] },
  ),
  fc
    .record({ min: fc.integer({ min: -50, max: 50 }), span: fc.nat(100) })
    .map(({ min, span }) => ({ type: "integer", minimum: min, maximum: min + span })),
  fc
    .integer({ min: 1, max: 9 })
    .map((step) => ({ type: "number", multipleOf: step, exclusiveMinimum: step })),
  fc
    .uniqueArray(fc.constantFrom("urgent", "low", 5, null, true), { minLength: 1 })
    .map((members) => ({ enum: members })),
  fc.constantFrom("fixed", 7).map((value) => ({ const: value })),
);
const schemas = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc
      .record({ items: tie("schema"), min: fc.nat(3), span: fc.nat(3) })
      .map(({ items, min, span }) => ({ type: "array", items, minItems: min, maxItems: min + span })),
    fc.tuple(fc.dictionary(keys, tie("schema")), fc.array(keys)).map(([properties, required]) => ({
      type: "object",
      properties,
      required: [...new Set(required)].filter((key) => key in properties),
      additionalProperties: false,
    })),
    tie("schema").map((schema) => ({ anyOf: [{ type: "null" }, schema] })),
  ),
})).schema;
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom(
    INVOICE,
    "",
    "Name: Ann\nTags: a, b\nTotal: 5\n\nName: Bob\nTags: c\nTotal: 7",
    "name,total,city\nA,1,Rome\nB,2,Bern",
  ),
);

describe("whatever the text and the schema", () => {
  it("gives a value that matches the schema, and the same one again", () => {
    const ajv = new Ajv2020({ strict: false });
    fc.assert(
      fc.property(schemas, texts, (schema, text) => {
        const { value } = fillSchema(text, schema);
        const valid = ajv.validate(schema, value);
        expect(valid, `${JSON.stringify(value)}: ${ajv.errorsText()}`).toBe(true);
        expect(fillSchema(text, schema).value).toEqual(value);
      }),
      { numRuns: 150 },
    );
  });
});
