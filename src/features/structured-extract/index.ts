import { z } from "zod";
import { boundedText } from "../../core/catalog/bounded-text.ts";
import { defineCapability, field, mesh, usd } from "../../core/catalog/define.ts";
import { invalidInput } from "../../core/errors.ts";
import { SchemaFault } from "../../core/json-schema/faults.ts";
import { readShape } from "./shape.ts";

/** In code points. */
const TEXT_LIMIT = 50_000;
const INSTRUCTIONS_LIMIT = 8_000;

/** Reads out of a text what a shape asks for. */
export default defineCapability({
  slug: "structured-extract",
  version: "1.0.0",
  name: "Structured extract",
  category: "extraction",
  summary:
    "Reads the data that a shape asks for out of a text. The shape is an example object (its keys and types), a JSON " +
    "Schema, or a description; the data always validates against it, and what the text does not say is null.",
  offers: [
    { surface: "marketplace", price: mesh(2) },
    { surface: "tool-api", route: { method: "POST", path: "/v1/extract" }, price: usd("0.002") },
  ],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    text: z.string().min(1).register(field, { truncateAt: TEXT_LIMIT }),
    shape: z
      .union([z.record(z.string(), z.unknown()), z.string().trim().min(1)], {
        error: "must be an object, or a text that is not empty",
      })
      .describe(
        "An example object, whose values may also name types (`number`); a JSON Schema of an object or an array; or a " +
          "description such as `vendor, total as a number, due date`.",
      ),
    instructions: boundedText(0, INSTRUCTIONS_LIMIT)
      .optional()
      .register(field, { trim: true })
      .describe("What to mind while reading, such as which of several dates is meant."),
  }),
  output: z.object({
    data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
    model: z.string(),
  }),
  check: ({ shape }) => {
    try {
      readShape(shape);
    } catch (error) {
      if (error instanceof SchemaFault) throw invalidInput([{ path: "shape", message: error.message }]);
      throw error;
    }
  },
});
