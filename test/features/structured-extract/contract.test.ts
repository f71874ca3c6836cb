import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readShape } from "../../../src/features/structured-extract/shape.ts";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run, replay } = await testedCapability("structured-extract");
const models = offlineModels();

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, await replay(vector.input, { models }))).toBe(true);
  });

  it("is listed on both surfaces, at their prices", () => {
    expect(capability.offers).toEqual([
      { surface: "marketplace", price: { currency: "MESH", amount: 2 } },
      {
        surface: "tool-api",
        route: { method: "POST", path: "/v1/extract" },
        price: { currency: "USD", amount: 2_000 },
      },
    ]);
  });

  it("asks with text, shape and instructions as data, and gives what was read", async () => {
    const scripted = scriptedModels({ data: { total: 5 } });
    const body = { text: " Total: 5 ", shape: { total: 1 }, instructions: " the last one " };
    expect(await run(body, { models: scripted })).toEqual({ data: { total: 5 }, model: "scripted" });
    expect(JSON.parse(scripted.asked[0]?.messages[1]?.content ?? "")).toEqual({
      text: "Total: 5",
      example: { total: 1 },
      instructions: "the last one",
    });
  });

  it.each([
    [{ shape: { a: 1 } }, "text"],
    [{ text: "", shape: { a: 1 } }, "text"],
    [{ text: " \n ", shape: { a: 1 } }, "text"],
    [{ text: 5, shape: { a: 1 } }, "text"],
    [{ text: "x" }, "shape"],
    [{ text: "x", shape: null }, "shape"],
    [{ text: "x", shape: 5 }, "shape"],
    [{ text: "x", shape: ["a"] }, "shape"],
    [{ text: "x", shape: "" }, "shape"],
    [{ text: "x", shape: "  " }, "shape"],
    [{ text: "x", shape: {} }, "shape"],
    [{ text: "x", shape: "x".repeat(16_385) }, "shape"],
    [{ text: "x", shape: { type: "object", properties: { a: { type: "nothing" } } } }, "shape"],
    [{ text: "x", shape: { type: "object", properties: { a: { $ref: "https://a.test/b" } } } }, "shape"],
    [{ text: "x", shape: { type: "object", patternProperties: { "(": {} } } }, "shape"],
    [{ text: "x", shape: { a: 1 }, instructions: 5 }, "instructions"],
    [{ text: "x", shape: { a: 1 }, instructions: "x".repeat(8_001) }, "instructions"],
  ])("refuses a fault in %#, naming %s", (body, path) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it("trims the text, then cuts it at 50,000 code points", () => {
    expect(parse({ text: `  ${"🧾".repeat(50_001)}`, shape: "a" })).toMatchObject({
      text: "🧾".repeat(50_000),
    });
  });
});

describe("a shape", () => {
  it("that is an example gives the keys, all of them and no others, and their types or null", () => {
    const { check } = readShape({
      name: "Ann",
      age: "integer",
      tags: ["x"],
      address: { city: "Rome" },
      note: null,
    });
    const good = { name: "Bo", age: 3, tags: ["a", "b"], address: { city: null }, note: ["anything"] };
    expect(check(good)).toBeUndefined();
    expect(check({ ...good, name: null, age: null, tags: [] })).toBeUndefined();
    for (const fault of [
      { name: 5 },
      { age: 1.5 },
      { tags: null },
      { tags: [5] },
      { address: {} },
      { extra: 1 },
    ]) {
      expect(check({ ...good, ...fault })).toBeDefined();
    }
    expect(check({ name: "Bo" })).toBeDefined();
  });

  it.each([
    [{ type: "object", properties: { a: { type: "string" } } }, true],
    [{ type: ["object", "null"] }, true],
    [{ type: "array", items: { type: "string" } }, true],
    [{ properties: { a: { type: "number" } }, required: ["a"] }, true],
    [{ $schema: "https://json-schema.org/draft/2020-12/schema", title: "T" }, true],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "object" } } }, true],
    [{ type: "invoice", total: 5 }, false],
    [{ type: "string", title: "string" }, false],
    [{ type: "object", colour: "red" }, false],
    [{ properties: { bedrooms: 3 }, title: "House" }, false],
    [{ title: "string", description: "string" }, false],
  ])("%j is JSON Schema: %s", (shape, isSchema) => {
    expect(readShape(shape).schema === shape).toBe(isSchema);
  });

  it("in a text is the object that the text is in JSON, else a description", () => {
    expect(readShape('{"a": 1}')).toMatchObject({ schema: { required: ["a"] } });
    expect(readShape("name and age")).toMatchObject({ description: "name and age" });
    expect(readShape("[1]")).toMatchObject({ description: "[1]" });
  });
});

describe("data that does not validate", () => {
  const body = {
    text: "Total: 5",
    shape: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
  };

  it.each([{ total: "5" }, {}, [], null, "5", "{", "no JSON at all"])(
    "such as %j is asked for again with its fault, and given up the second time",
    async (data) => {
      const wrong = typeof data === "string" ? data : { data };
      const scripted = scriptedModels(wrong, { data: { total: 5 } });
      expect(await run(body, { models: scripted })).toMatchObject({ data: { total: 5 } });
      expect(scripted.asked[1]?.messages.at(-1)?.content).toContain("That answer is wrong");
      await expect(run(body, { models: scriptedModels(wrong) })).rejects.toMatchObject({
        code: "model_output_invalid",
      });
    },
  );

  it("names the place of the fault to the model", async () => {
    const scripted = scriptedModels({ data: { total: "5" } }, { data: { total: 5 } });
    await run(body, { models: scripted });
    expect(scripted.asked[1]?.messages.at(-1)?.content).toContain("/total must be a number");
  });

  it("is the caller's fault where the shape makes the check endless", async () => {
    // Twice as many steps with each level of the data.
    const doubling = { allOf: [{ items: { $ref: "#/$defs/d" } }, { items: { $ref: "#/$defs/d" } }] };
    const shape = { type: "object", properties: { a: { $ref: "#/$defs/d" } }, $defs: { d: doubling } };
    const scripted = scriptedModels({ data: { a: JSON.parse(`${"[".repeat(30)}${"]".repeat(30)}`) } });
    expect(await replay({ text: "x", shape }, { models: scripted })).toEqual({ error: "shape_unusable" });
  });

  it("is refused when it is nested too deep to be kept", async () => {
    const deep = `{"data": {"a": ${"[".repeat(100)}${"]".repeat(100)}}}`;
    const asking = run({ text: "x", shape: "anything" }, { models: scriptedModels(deep) });
    await expect(asking).rejects.toMatchObject({ code: "model_output_invalid" });
  });
});

describe("the offline method", () => {
  const TEXT =
    "Order 77 of Ann Lee, ann@example.com: 3 lamps at $12.50 on 2026-02-03. Status: open. Paid: yes.";
  const extract = async (shape: unknown, text = TEXT) => (await run({ text, shape }, { models })).data;

  it("reads by key and type", async () => {
    const shape = { customer: "", email: "", status: "", paid: true, date: "" };
    expect(await extract(shape)).toEqual({
      customer: "Ann Lee",
      email: "ann@example.com",
      status: "open",
      paid: true,
      date: "2026-02-03",
    });
  });

  it("follows the references of a JSON Schema, and gives arrays where one is asked for", async () => {
    const shape = { type: "array", items: { $ref: "#/$defs/mail" }, $defs: { mail: { type: "string" } } };
    expect(Array.isArray(await extract(shape))).toBe(true);
    const object = {
      type: "object",
      properties: { email: { $ref: "#/$defs/mail" } },
      $defs: { mail: { type: "string" } },
    };
    expect(await extract(object)).toEqual({ email: "ann@example.com" });
  });

  it.each([
    ["customer, email", { customer: "Ann Lee", email: "ann@example.com" }],
    ["Extract the status of the order and the email", { status: "open", email: "ann@example.com" }],
    ["whether it is paid", { paid: true }],
    ["Return: status (string), paid (boolean)", { status: "open", paid: true }],
    ["A JSON object with the customer's email and the status", { email: "ann@example.com", status: "open" }],
    ["Return the following fields: status, email", { status: "open", email: "ann@example.com" }],
    ["status: string, paid: boolean", { status: "open", paid: true }],
    ["- status: where it stands\n- email: how to reach her", { status: "open", email: "ann@example.com" }],
    ["the phone number", { phone_number: null }],
  ])("takes the keys from the description %j", async (shape, data) => {
    expect(await extract(shape)).toEqual(data);
  });

  it("gives data that validates for any example, by another copy of the validator", async () => {
    const ajv = new Ajv2020({ strict: false });
    const leaf = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("number", "integer", "boolean"),
    );
    const key = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "__proto__");
    const { example } = fc.letrec<{ example: Record<string, unknown>; value: unknown }>((tie) => ({
      value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 2 }), tie("example")),
      example: fc.dictionary(key, tie("value"), { minKeys: 1, maxKeys: 4 }),
    }));
    await fc.assert(
      fc.asyncProperty(
        example,
        fc.string({ minLength: 1, maxLength: 80 }).filter((text) => text.trim() !== ""),
        async (shape, text) => {
          const { schema } = readShape(shape);
          expect(ajv.validate(schema, await extract(shape, text)), ajv.errorsText()).toBe(true);
        },
      ),
    );
  });

  it("gives data that validates for a JSON Schema, or fails: never data that does not", async () => {
    const ajv = new Ajv2020({ strict: false });
    const bound = fc.integer({ min: -50, max: 50 });
    const part = fc.oneof(
      fc.record({ type: fc.constant("string"), minLength: fc.nat(9), maxLength: fc.nat(9) }),
      fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^a", "\\d+", "^$") }),
      fc.record({ type: fc.constantFrom("number", "integer"), minimum: bound, maximum: bound }),
      fc.record({ enum: fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant("array"), items: fc.constant({ type: "integer" }), minItems: fc.nat(3) }),
      fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
    );
    const shapes = fc.dictionary(fc.constantFrom("name", "age", "total", "date"), part, { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(shapes, async (properties) => {
        const shape = { type: "object", properties, required: Object.keys(properties) };
        const outcome: unknown = await extract(shape).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "model_output_invalid" });
        else expect(ajv.validate(shape, outcome), ajv.errorsText()).toBe(true);
      }),
    );
  });
});
