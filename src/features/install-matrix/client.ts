import type { METHODS } from "./index.ts";
import type { Access } from "./server.ts";
import { type Forms, fill, literal, type Template, text } from "./template.ts";

type Method = (typeof METHODS)[number];

/** How one client takes a server. */
export type Client = {
  client: string;
  config_path?: string | undefined;
  method: Method;
  notes?: string | undefined;
  snippet: string;
};

/** How a client takes servers with one kind of access, as its vendor says. */
export type Description = {
  readonly client: string;
  readonly method: Method;
  readonly snippet: Template;
  readonly config_path?: string | Template;
  readonly notes?: readonly (string | Template | false)[];
};

/** Describes some clients for servers with this kind of access. */
export type Describe = (access: Access) => readonly Description[];

const OPTIONAL_KEY = "Leave the Authorization header out to connect without a key.";

const asTemplate = (part: string | Template): Template => (typeof part === "string" ? literal(part) : part);

/**
 * Puts a description together, once for all servers with this kind of access; the function that it gives fills one of
 * them in. A note on the optional key is added where the snippet has a key.
 */
export function compile(access: Access, description: Description): (forms: Forms) => Client {
  const { client, method, snippet, config_path, notes = [] } = description;
  const isOptional = access.auth === "bearer-optional" && method !== "paste-url";
  const configPath = config_path === undefined ? undefined : asTemplate(config_path);
  const sentences = [...notes, isOptional && OPTIONAL_KEY].filter((note) => note !== false).map(asTemplate);
  const note =
    sentences.length === 0 ? undefined : sentences.reduce((before, sentence) => text`${before} ${sentence}`);
  // In the order that canonical JSON wants.
  return (forms) => ({
    client,
    config_path: configPath && fill(configPath, forms),
    method,
    notes: note && fill(note, forms),
    snippet: fill(snippet, forms),
  });
}
