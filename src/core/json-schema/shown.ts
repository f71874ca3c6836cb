import { z } from "zod";
import type { JsonSchema } from "./compile.ts";

/**
 * JSON Schema of a zod schema, for those who read it, in a dialect. What zod checks of every whole number, that a double
 * can hold it, is left out: tools would show it as an example.
 */
export function shownSchema(
  schema: z.ZodType,
  target: "draft-2020-12" | "openapi-3.0",
  io: "input" | "output",
): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target,
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}
