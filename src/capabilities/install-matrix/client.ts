import type { METHODS } from "./index.ts";
import type { Server } from "./server.ts";

/** How one client takes a server. */
export type Client = {
  client: string;
  method: (typeof METHODS)[number];
  snippet: string;
  config_path?: string;
  notes?: string;
};

/** Describes one client for a server. */
export type Describe = (server: Server) => Client;

const OPTIONAL_KEY = "Leave the Authorization header out to connect without a key.";

/** Puts a client's description together; a note on the optional key is added where the snippet has a key. */
export function entry(
  server: Server,
  client: Omit<Client, "notes"> & { notes?: readonly (string | false)[] },
): Client {
  const { notes = [], ...rest } = client;
  const hasKey = server.keyIsOptional && rest.method !== "paste-url";
  const sentences = [...notes, hasKey && OPTIONAL_KEY].filter((note) => note !== false);
  return sentences.length === 0 ? rest : { ...rest, notes: sentences.join(" ") };
}
