import type { z } from "zod";
import { shownSchema } from "../json-schema/shown.ts";
import { type Contract, type JsonSchema } from "./contract.ts";
import { type Declaration, field } from "./define.ts";
import { knownFields } from "../json-schema/known-fields.ts";
import { parseInput } from "./input.ts";
import { type Remarks, replaced, unknownFields } from "./remarks.ts";

type Target = "draft-2020-12" | "openapi-3.0";

/** The contract of a declaration. Its schemas are rendered when they are first asked for, and once. */
export function zodContract(declaration: Declaration): Contract {
  const input = once(() => inputSchema(declaration));
  const output = once(() => shownSchema(declaration.output, "draft-2020-12", "output"));
  const openApi = once(() => ({
    input: inputSchema(declaration, "openapi-3.0"),
    output: shownSchema(declaration.output, "openapi-3.0", "output"),
  }));
  const known = once(() => knownFields(input(), aliasesOf(declaration)));
  const fallbacks = once(() => fallbacksOf(declaration));
  return {
    get input() {
      return input();
    },
    get output() {
      return output();
    },
    get openApi() {
      return openApi();
    },
    parse: (body) => parseInput(declaration, body),
    remarks: (body, taken) => {
      const unknown = unknownFields(body, known());
      const other = fallbacks().flatMap((fallback) => fallenBack(fallback, body, taken));
      return other.length === 0 ? unknown : [...unknown, ...other];
    },
    check: (value) => {
      const checked = declaration.output.safeParse(value);
      return checked.success ? { output: checked.data } : { fault: checked.error };
    },
  };
}

/**
 * The input of a declaration as JSON Schema, with what happens to a field before the schema sees it: the other keys that
 * it may come under (`x-aliases`) and where it is cut (`x-truncate-at`, in code points).
 */
export function inputSchema(declaration: Declaration, target: Target = "draft-2020-12"): JsonSchema {
  const schema = shownSchema(declaration.input, target, "input");
  const properties = (schema["properties"] ?? {}) as Record<string, Record<string, unknown>>;
  for (const [key, type] of Object.entries(declaration.input.shape)) {
    const rules = field.get(type as z.ZodType);
    const property = properties[key];
    if (rules === undefined || property === undefined) continue;
    if (rules.aliases !== undefined) property["x-aliases"] = rules.aliases;
    if (rules.truncateAt !== undefined) property["x-truncate-at"] = rules.truncateAt;
  }
  return schema;
}

/** The other keys that fields may come under. */
const aliasesOf = ({ input }: Declaration): string[] =>
  Object.values(input.shape).flatMap((type) => field.get(type as z.ZodType)?.aliases ?? []);

/** A field that has this text where it is absent. */
type Fallback = { readonly key: string; readonly text: string };

function fallbacksOf({ input }: Declaration): readonly Fallback[] {
  return Object.entries(input.shape).flatMap(([key, type]) => {
    const { data: text } = (type as z.ZodType).safeParse(undefined);
    return typeof text === "string" ? [{ key, text }] : [];
  });
}

/** A remark on a field that was given, and has the text of one that was not. */
function fallenBack(
  { key, text }: Fallback,
  body: Readonly<Record<string, unknown>>,
  taken: Readonly<Record<string, unknown>>,
): Remarks {
  if (taken[key] !== text || !Object.hasOwn(body, key)) return [];
  const given = body[key];
  if (given === null || given === "" || (typeof given === "string" && given.trim() === text)) return [];
  return [replaced(key, given, text)];
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
