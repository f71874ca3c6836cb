import { describe, expect, it } from "vitest";
import { schemaContract } from "../../src/core/catalog/schema-contract.ts";
import { OutOfSteps, SchemaFault } from "../../src/core/json-schema/faults.ts";

const contract = schemaContract({
  input: {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string" }, list: { items: {} } },
  },
  output: { type: "object", properties: { words: { type: "integer" } }, required: ["words"] },
});

describe("the contract of a listing", () => {
  it("gives the body as it is, with what it does not know", () => {
    expect(contract.parse({ text: "a", more: null })).toEqual({ text: "a", more: null });
  });

  it("refuses a body with every fault and its place", () => {
    expect(() => contract.parse({ list: 5 })).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: { issues: [{ path: "text", message: "is required and must be a string" }] },
      }),
    );
  });

  it("leaves to a thread what takes more steps than an event loop has, which refuses what takes too many", () => {
    const doubling = {
      input: {
        allOf: [{ items: { $ref: "#" } }, { items: { $ref: "#" } }],
        properties: { a: { $ref: "#" } },
      },
    };
    const recursive = schemaContract(doubling);
    const a: unknown = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`);
    expect(() => recursive.parse({ a })).toThrow(OutOfSteps);
    expect(recursive.parse({ a: [[]] })).toEqual({ a: [[]] });
    const inThread = schemaContract(doubling, "thread");
    expect(() => inThread.parse({ a })).toThrow(expect.objectContaining({ code: "invalid_input" }));
    const many = { a: Array.from({ length: 5_000 }, () => 1) };
    expect(() => recursive.parse(many)).toThrow(OutOfSteps);
    expect(inThread.parse(many)).toEqual(many);
  });

  it("says of an output that needs a thread that it does, and checks it there, long texts with steps of their own", () => {
    const schemas = {
      input: {
        properties: { text: { pattern: "^a*$", allOf: [{ pattern: "a$" }, { maxLength: 1_000_000 }] } },
      },
      output: { items: { type: "integer" } },
    };
    const [onLoop, inThread] = [schemaContract(schemas), schemaContract(schemas, "thread")];
    const many = Array.from({ length: 5_000 }, (_, n) => n);
    expect(onLoop.check(many)).toEqual({ fault: expect.any(OutOfSteps) });
    expect(inThread.check(many)).toEqual({ output: many });
    expect(inThread.check([...many, "one"])).toEqual({
      fault: expect.objectContaining({ message: "/5000 must be a whole number" }),
    });
    const text = "a".repeat(500_000);
    expect(() => onLoop.parse({ text })).toThrow(OutOfSteps);
    expect(inThread.parse({ text })).toEqual({ text });
  });

  it("says why an output does not match, and takes any where nothing is promised", () => {
    expect(contract.check({ words: 1 })).toEqual({ output: { words: 1 } });
    expect(contract.check({ words: "1" })).toEqual({
      fault: expect.objectContaining({ message: "/words must be a whole number" }),
    });
    expect(schemaContract({ input: {} }).check("anything")).toEqual({ output: "anything" });
  });

  it("is none where one of its schemas cannot be taken", () => {
    expect(() => schemaContract({ input: { $ref: "https://a.test" } })).toThrow(SchemaFault);
    expect(() => schemaContract({ input: {}, output: { $id: "x" } })).toThrow(SchemaFault);
  });
});
