import { z } from "zod";
import { type Capability, field } from "./define.ts";

/**
 * The input contract of a capability as JSON Schema, with what happens to a field before the schema sees it: the other
 * keys that it may come under (`x-aliases`) and where it is cut (`x-truncate-at`, in code points).
 */
export function inputSchema(
  capability: Capability,
  target: "draft-2020-12" | "openapi-3.0" = "draft-2020-12",
): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(capability.input, {
    target,
    io: "input",
    unrepresentable: "any",
  });
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  for (const [key, type] of Object.entries(capability.input.shape)) {
    const rules = field.get(type as z.ZodType);
    const property = properties[key];
    if (rules === undefined || property === undefined) continue;
    if (rules.aliases !== undefined) property["x-aliases"] = rules.aliases;
    if (rules.truncateAt !== undefined) property["x-truncate-at"] = rules.truncateAt;
  }
  return schema;
}
