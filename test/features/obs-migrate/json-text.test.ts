import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../src/features/obs-migrate/edits.ts";
import { type JsonValue, JsonText } from "../../../src/features/obs-migrate/json-text.ts";

/** What a reader would see, built from the positions. */
function valueOf(value: JsonValue): unknown {
  if (value.string !== undefined) return value.string;
  if (value.isObject) {
    return Object.fromEntries(
      [...value.members()].map((member) => [member.key.string, valueOf(member.value)]),
    );
  }
  return value.source.startsWith("[") ? [...value.items()].map(valueOf) : JSON.parse(value.source);
}

function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const read = (text: string): unknown => {
  const json = JsonText.read(text);
  return json === undefined ? undefined : { value: valueOf(json.root) };
};

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("a JSON text", () => {
  it("is read as JSON.parse reads it, however it is spaced", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom("", 1, 4, "\t"), (value, space) => {
        const text = ` ${JSON.stringify(value, null, space)}\r\n`;
        expect(read(text)).toEqual(parsed(text));
      }),
      { numRuns: 500 },
    );
  });

  it("is refused exactly where JSON.parse refuses it", () => {
    const parts = ["{", "}", "[", "]", ",", ":", '"a"', '"', "\\", "\\u00", "1", "-", "01", "1.", "1e5", "true", "nul", " ", "\n", "\u0001"]; // prettier-ignore
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((some) => some.join(""));
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...parts))
      .map(
        ([json, at, part]) =>
          json.slice(0, at % (json.length + 1)) + part + json.slice(at % (json.length + 1)),
      );
    fc.assert(
      fc.property(fc.oneof(text, damaged), (candidate) => {
        expect(read(candidate)).toEqual(parsed(candidate));
      }),
      { numRuns: 5_000 },
    );
  });

  it("knows where each value stands", () => {
    const text = '{ "a" : [1.0, "x\\"y"], "b":{"c":null} }';
    const root = JsonText.read(text)?.root;
    expect([...(root?.get("a")?.items() ?? [])].map(({ source }) => source)).toEqual(["1.0", '"x\\"y"']);
    expect(root?.get("b")?.get("c")?.source).toBe("null");
    expect(root?.get("c")).toBeUndefined();
  });

  it("takes the last of several members of one name, as readers do", () => {
    expect(JsonText.read('{"a":1,"a":2}')?.root.get("a")?.source).toBe("2");
  });

  it("may begin with a byte order mark", () => {
    expect(JsonText.read("\ufeff[1]")?.root.source).toBe("[1]");
  });

  it("is refused when it is nested deeper than 256 levels", () => {
    expect(JsonText.read(nested(256))).toBeDefined();
    expect(JsonText.read(nested(257))).toBeUndefined();
    expect(JsonText.read("[".repeat(1_000_000))).toBeUndefined();
  });

  it("is changed where it is edited and nowhere else", () => {
    const text = '{"a": 1.0 , "b":"x"}';
    const b = JsonText.read(text)?.root.get("b");
    expect(applyEdits(text, [{ start: b?.start ?? 0, end: b?.end ?? 0, text: '"y"' }])).toBe(
      '{"a": 1.0 , "b":"y"}',
    );
    expect(applyEdits(text, [])).toBe(text);
  });
});
