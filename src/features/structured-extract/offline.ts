import { defineOffline } from "../../core/models/offline.ts";
import { fillSchema } from "../../offline/text/fill-schema.ts";
import { schemaOfDescription } from "./description.ts";

type Asked = { readonly text: string; readonly description?: string };
type AnswerSchema = { readonly properties: { readonly data: Record<string, unknown> } };

/** Fills the shape from the text's labelled fields, values and records; of a description, the keys that it names. */
export default defineOffline(({ data, schema }) => {
  const { text, description } = data as Asked;
  const { properties, $defs, definitions } = schema as AnswerSchema & Record<string, unknown>;
  const wanted =
    description === undefined
      ? {
          ...properties.data,
          ...($defs === undefined ? {} : { $defs }),
          ...(definitions === undefined ? {} : { definitions }),
        }
      : schemaOfDescription(description);
  return { data: fillSchema(text, wanted).value };
});
