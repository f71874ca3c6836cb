import { canonicalJson } from "../canonical.ts";
import { atLeast, atMost } from "../in-words.ts";
import { all, apply, applyInside, type Compiler, type Rule, stepsOfText } from "./node.ts";
import { type Run, Seen } from "./run.ts";
import type { Schema, SchemaObject } from "./vocabulary.ts";

/** The rules for arrays. */
export function arrayRules(schema: SchemaObject, compiler: Compiler): Rule[] {
  const rules: Rule[] = [];
  const add = (holds: (items: readonly unknown[], run: Run, seen: Seen | null) => boolean): void =>
    void rules.push((value, run, seen) => !Array.isArray(value) || holds(value, run, seen));
  const { minItems, maxItems, uniqueItems } = schema;
  if (typeof minItems === "number")
    add((items, run) => items.length >= minItems || run.fail(atLeast(minItems, "item")));
  if (typeof maxItems === "number")
    add((items, run) => items.length <= maxItems || run.fail(atMost(maxItems, "item")));
  if (uniqueItems === true) add(areUnique);
  const prefix = ((schema["prefixItems"] as Schema[] | undefined) ?? []).map(compiler.nodeOf);
  if (prefix.length > 0)
    add((items, run, seen) =>
      all(prefix.slice(0, items.length).entries(), run, ([index, node]) => {
        seen?.items.add(index);
        return applyInside(node, items[index], index, run, seen);
      }),
    );
  if ("items" in schema) add(eachItem(schema["items"] as Schema, prefix.length, compiler));
  if ("contains" in schema) add(containing(schema, compiler));
  if ("unevaluatedItems" in schema) add(eachItem(schema["unevaluatedItems"] as Schema, 0, compiler, true));
  return rules;
}

type ArrayRule = (items: readonly unknown[], run: Run, seen: Seen | null) => boolean;

const areUnique: ArrayRule = (items, run) => {
  const texts = new Set<string>();
  for (const item of items) {
    const text = canonicalJson(item);
    run.spend(1 + stepsOfText(text.length));
    texts.add(text);
  }
  return texts.size === items.length || run.fail("must not have an item twice");
};

/** Every item from one on; of those, where `unseen` is asked for, the ones that nothing else has looked at. */
function eachItem(schema: Schema, from: number, { nodeOf }: Compiler, unseen = false): ArrayRule {
  const node = nodeOf(schema);
  return (items, run, seen) =>
    all(items.entries(), run, ([index, item]) => {
      if (index < from || (unseen && seen?.items.has(index) === true)) return true;
      seen?.items.add(index);
      return applyInside(node, item, index, run, seen);
    });
}

function containing(schema: SchemaObject, { nodeOf }: Compiler): ArrayRule {
  const node = nodeOf(schema["contains"] as Schema);
  const { minContains = 1, maxContains = Infinity } = schema as {
    readonly minContains?: number;
    readonly maxContains?: number;
  };
  return (items, run, seen) => {
    let fitting = 0;
    for (const [index, item] of items.entries()) {
      if (!run.quietly(() => apply(node, item, run, seen === null ? null : new Seen()))) continue;
      fitting += 1;
      seen?.items.add(index);
    }
    if (fitting < minContains) return run.fail(`must have at least ${minContains} items of a certain kind`);
    return fitting <= maxContains || run.fail(`must have at most ${maxContains} items of a certain kind`);
  };
}
