import { all, apply, type Compiler, type Node, type Rule } from "./node.ts";
import { Seen } from "./run.ts";
import type { Schema, SchemaObject } from "./vocabulary.ts";

/** The rules by which other schemas look at the same value. */
export function inPlaceRules(schema: SchemaObject, compiler: Compiler): Rule[] {
  const { nodeOf, at, marking } = compiler;
  const rules: Rule[] = [];
  const list = (keyword: string): Node[] | undefined =>
    (schema[keyword] as Schema[] | undefined)?.map(nodeOf);
  const { $ref } = schema;
  if (typeof $ref === "string") {
    const target = nodeOf(at($ref));
    rules.push((value, run, seen) => apply(target, value, run, seen));
  }
  const [allOf, anyOf, oneOf] = [list("allOf"), list("anyOf"), list("oneOf")];
  if (allOf !== undefined)
    rules.push((value, run, seen) => all(allOf, run, (node) => apply(node, value, run, seen)));
  if (anyOf !== undefined) {
    rules.push((value, run, seen) => {
      let fits = false;
      for (const node of anyOf) {
        if (fits && !marking) break;
        fits = run.quietly(() => apply(node, value, run, seen)) || fits;
      }
      return fits || run.fail("must fit one of several schemas, and fits none");
    });
  }
  if (oneOf !== undefined) {
    rules.push((value, run, seen) => {
      const fitting = oneOf.filter((node) => run.quietly(() => apply(node, value, run, seen))).length;
      return fitting === 1 || run.fail("must fit exactly one of several schemas");
    });
  }
  if ("not" in schema) {
    const not = nodeOf(schema["not"] as Schema);
    rules.push(
      (value, run) =>
        !run.quietly(() => apply(not, value, run, marking ? new Seen() : null)) ||
        run.fail("must not be of this kind"),
    );
  }
  if ("if" in schema) {
    const condition = nodeOf(schema["if"] as Schema);
    const [yes, no] = ["then", "else"].map((keyword) => nodeOf((schema[keyword] as Schema) ?? true));
    rules.push((value, run, seen) => {
      const branch = run.quietly(() => apply(condition, value, run, seen)) ? yes : no;
      return branch === undefined || apply(branch, value, run, seen);
    });
  }
  return rules;
}
