import { z } from "zod";
import { key, server } from "./values.ts";

/** The settings of a semantic memory server. */
export const memorySettings = {
  MEMORY_URL: server.optional(),
  MEMORY_API_KEY: key.optional(),
};

const environment = z.object(memorySettings);

/** A server that ranks memories by meaning; `apiKey` null: it asks for none. */
export type MemoryServerSettings = { readonly url: string; readonly apiKey: string | null };

/** The semantic memory server, or null where none is named. */
export function memoryConfig(env: z.output<typeof environment>): MemoryServerSettings | null {
  const { MEMORY_URL: url, MEMORY_API_KEY: apiKey = null } = env;
  if (url !== undefined) return { url, apiKey };
  if (apiKey === null) return null;
  throw new Error("MEMORY_API_KEY is the key of a server: set MEMORY_URL as well.");
}
