type Json = Readonly<Record<string, unknown>>;

/** A schema with such a title stands in the document once, under it. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * A document of OpenAPI in which each schema that has a name for its title stands once, among the components, and is
 * referred to elsewhere. Throws where one name stands for two schemas.
 */
export function withComponents(document: Json): Json {
  const schemas = new Map<string, string>();
  const moved = move(document, schemas) as Json;
  const components = moved["components"] as Json | undefined;
  const sorted = [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const named = Object.fromEntries(sorted.map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return { ...moved, components: { ...components, schemas: named } };
}

function move(value: unknown, schemas: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => move(part, schemas));
  if (typeof value !== "object" || value === null) return value;
  const moved = Object.fromEntries(
    // What is shown as an example is data.
    Object.entries(value).map(([key, part]) => [key, key === "example" ? part : move(part, schemas)]),
  );
  const { title } = moved;
  if (typeof title !== "string" || !NAME.test(title) || !isSchema(moved)) return moved;
  // Where it stands in a response, its description is the response's.
  const { title: _title, description: _description, ...schema } = moved;
  const text = JSON.stringify(schema);
  const known = schemas.get(title);
  if (known !== undefined && known !== text) throw new Error(`two schemas have the name ${title}`);
  schemas.set(title, text);
  return { $ref: `#/components/schemas/${title}` };
}

const isSchema = (value: Json): boolean => "type" in value || "oneOf" in value || "anyOf" in value;
