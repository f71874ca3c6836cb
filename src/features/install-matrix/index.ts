import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";

export const METHODS = ["config-file", "cli", "deeplink", "paste-url"] as const;
const TRANSPORTS = ["streamable-http", "sse"] as const;
export const AUTHS = ["none", "bearer-optional", "bearer-required"] as const;

// In the order that canonical JSON wants: forty entries are not put into another one then.
const client = z.object({
  client: z.string(),
  config_path: z
    .string()
    .optional()
    .describe("The file that takes the snippet, or the way to the form that does."),
  method: z.enum(METHODS),
  notes: z.string().optional(),
  snippet: z.string().describe("What to paste, run or open; a key in it is a placeholder."),
});

/** Says how each MCP client takes a remote server: the snippet, where it goes, and what is special about it. */
export default defineCapability({
  slug: "install-matrix",
  version: "1.0.0",
  name: "Install matrix",
  category: "devtools",
  summary:
    "Writes ready snippets that add a remote MCP server to some forty clients: configuration files, commands, deep " +
    "links or the address to paste. Keys are placeholders.",
  offers: [{ surface: "marketplace", price: mesh(1) }],
  pool: "inline",
  timeoutMs: 1_000,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 20, sideEffects: [] },
  input: z.object({
    server_url: z
      .string()
      .min(1)
      .register(field, { aliases: ["url", "serverUrl"], trim: true })
      .describe("The address of the MCP server, http or https."),
    name: z
      .string()
      .optional()
      .register(field, { trim: true })
      .describe("The server's name in the clients; made from the host by default."),
    transport: z
      .enum(TRANSPORTS)
      .default("streamable-http")
      .catch("streamable-http")
      .describe("Said again in the answer."),
    auth: z.enum(AUTHS).default("none").catch("none").describe("Whether the snippets carry a bearer token."),
  }),
  output: z.union([
    z.object({
      clients: z.array(client),
      count: z.int(),
      server: z.object({
        auth: z.enum(AUTHS),
        name: z.string(),
        transport: z.enum(TRANSPORTS),
        url: z.string(),
      }),
    }),
    z.object({ ok: z.literal(false), error: z.string() }),
  ]),
});
