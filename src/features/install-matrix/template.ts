/** What a template may hold of a server, each in the form that its place needs. */
export type Forms = {
  /** Of a-z, 0-9, underscore and hyphen; safe in every syntax. */
  readonly name: string;
  readonly url: string;
  /** The address as a word of a POSIX shell. */
  readonly urlWord: string;
  /** The address as a string of JSON, TOML and YAML. */
  readonly urlString: string;
  /** The address as a value in the query of a link. */
  readonly urlComponent: string;
  /** The name of an environment variable for the key. */
  readonly keyVariable: string;
  /** A client's settings as JSON in the query of a link: address and header, and the same in Base64. */
  readonly settingsComponent: string;
  readonly settingsBase64: string;
  /** The same with a name and a type, as VS Code takes them. */
  readonly namedComponent: string;
  /** The settings of a bridge by mcp-remote, with a name and a type. */
  readonly bridgeComponent: string;
};

/** Text with places for the forms of a server: `texts` has one more than `places`. */
export type Template = { readonly texts: readonly string[]; readonly places: readonly (keyof Forms)[] };

/** A template without a place. */
export const literal = (text: string): Template => ({ texts: [text], places: [] });

/** The tag of a template: what stands in `${}` names a form, or is a template of its own. */
export function text(texts: TemplateStringsArray, ...values: readonly (keyof Forms | Template)[]): Template {
  let whole = literal(texts[0] ?? "");
  values.forEach((value, index) => {
    const part = typeof value === "string" ? { texts: ["", ""], places: [value] } : value;
    whole = joined(joined(whole, part), literal(texts[index + 1] ?? ""));
  });
  return whole;
}

function joined(a: Template, b: Template): Template {
  const seam = (a.texts.at(-1) ?? "") + (b.texts[0] ?? "");
  return { texts: [...a.texts.slice(0, -1), seam, ...b.texts.slice(1)], places: [...a.places, ...b.places] };
}

/** The text of a template for one server. */
export function fill({ texts, places }: Template, forms: Forms): string {
  let filled = texts[0] ?? "";
  for (let nth = 0; nth < places.length; nth++) {
    filled += forms[places[nth] as keyof Forms] + (texts[nth + 1] as string);
  }
  return filled;
}
