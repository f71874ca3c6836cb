import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { compileSchema, stepsInThread } from "../../src/core/json-schema/compile.ts";
import { SchemaFault } from "../../src/core/json-schema/faults.ts";
import { isObject } from "../../src/core/json-schema/vocabulary.ts";

type Group = {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
};

const SUITE = new URL("../../fixtures/json-schema-test-suite/draft2020-12.json", import.meta.url);
const files = Object.entries(JSON.parse(await readFile(SUITE, "utf8")) as Record<string, readonly Group[]>);

/** What a contract may not hold, so that the suite's groups about it are refused, each for a reason that is one of these. */
const REFUSALS = [
  /^It uses \$(?:id|anchor|dynamicRef|dynamicAnchor)\b/,
  /only references within itself are followed/,
  /^Its dialect is none of/,
  /^It has a key __proto__/,
  /^uniqueItems, at #, needs maxItems/,
];
/** Of the groups of each file; every other one is checked. */
const REFUSED: Readonly<Record<string, number>> = {
  anchor: 4,
  defs: 1,
  dynamicRef: 21,
  properties: 1,
  ref: 22,
  refRemote: 15,
  unevaluatedItems: 1,
  unevaluatedProperties: 1,
  uniqueItems: 3,
  vocabulary: 2,
};

/** Why a schema is refused as a contract; undefined where it is not. */
function refusal(schema: unknown): string | undefined {
  try {
    compileSchema(schema, "contract");
    return undefined;
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    throw error;
  }
}

/** Without what only `uniqueItems` is refused for, its groups can be checked too. */
const bounded = (schema: unknown): unknown =>
  isObject(schema) && schema["uniqueItems"] === true ? { ...schema, maxItems: 1_000 } : schema;

const checkable = files.flatMap(([file, groups]) => {
  const checked = groups.filter(({ schema }) => refusal(bounded(schema)) === undefined);
  return checked.length === 0 ? [] : [[file, checked] as const];
});

describe("the JSON Schema Test Suite", () => {
  it.each(files)(
    "is refused in as many groups of %s as ask for what no contract may hold",
    (file, groups) => {
      const reasons = groups.map(({ schema }) => refusal(schema)).filter((reason) => reason !== undefined);
      expect(reasons).toHaveLength(REFUSED[file] ?? 0);
      for (const reason of reasons)
        expect(
          REFUSALS.some((known) => known.test(reason)),
          reason,
        ).toBe(true);
    },
  );

  it.each(checkable)("is answered as it says in all others of %s", (_file, groups) => {
    const wrong = groups.flatMap(({ description, schema, tests }) => {
      const check = compileSchema(bounded(schema), "contract");
      return tests
        .filter(({ data, valid }) => (check(data, stepsInThread(data)).length === 0) !== valid)
        .map((test) => `${description}: ${test.description}`);
    });
    expect(wrong).toEqual([]);
  });
});
