import { type Describe, entry } from "../client.ts";
import type { Server } from "../server.ts";
import { bridge, headers, inLink, inLinkAsBase64, json, quoted } from "../syntax.ts";

const PUBLIC_HTTPS = "It connects from its own cloud: the server needs a public https address.";
const NO_BEARER = "It takes OAuth or no sign-in; there is no field for a bearer token.";
const BRIDGED = "It takes local servers only, so mcp-remote bridges to this one; Node.js must be installed.";

const bridged = (server: Server): string => json({ mcpServers: { [server.name]: bridge(server) } });

const gooseYaml = (server: Server): string =>
  [
    "extensions:",
    `  ${quoted(server.name)}:`,
    "    type: streamable_http",
    `    name: ${quoted(server.name)}`,
    `    uri: ${quoted(server.url)}`,
    "    enabled: true",
    "    timeout: 300",
    ...(server.authorization === undefined
      ? []
      : ["    headers:", `      Authorization: ${quoted(server.authorization)}`]),
    "",
  ].join("\n");

/** Its deep link has no place for a header. */
const goose: Describe = (server) =>
  server.authorization === undefined
    ? entry(server, {
        client: "Goose",
        method: "deeplink",
        snippet: `goose://extension?url=${encodeURIComponent(server.url)}&type=streamable_http&timeout=300&id=${server.name}&name=${server.name}&description=${server.name}`,
        config_path: "~/.config/goose/config.yaml",
      })
    : entry(server, {
        client: "Goose",
        method: "config-file",
        snippet: gooseYaml(server),
        config_path: "~/.config/goose/config.yaml",
        notes: ["The key is uri."],
      });

/** Assistants in a window or a browser, and tools around them. */
export const ASSISTANTS: readonly Describe[] = [
  (server) =>
    entry(server, {
      client: "Claude Desktop",
      method: "config-file",
      snippet: bridged(server),
      config_path: String.raw`~/Library/Application Support/Claude/claude_desktop_config.json or %APPDATA%\Claude\claude_desktop_config.json`,
      notes: [
        "Its file takes local servers only, so mcp-remote bridges to this one; Node.js must be installed.",
      ],
    }),
  (server) =>
    entry(server, {
      client: "Claude.ai",
      method: "paste-url",
      snippet: server.url,
      config_path: "Settings > Connectors > Add custom connector",
      notes: [server.plain && PUBLIC_HTTPS, server.authorization !== undefined && NO_BEARER],
    }),
  (server) =>
    entry(server, {
      client: "ChatGPT",
      method: "paste-url",
      snippet: server.url,
      config_path: "Settings > Apps > Advanced > Developer mode > Create",
      notes: [server.plain && PUBLIC_HTTPS, server.authorization !== undefined && NO_BEARER],
    }),
  goose,
  (server) =>
    entry(server, {
      client: "LM Studio",
      method: "deeplink",
      snippet: `lmstudio://add_mcp?name=${server.name}&config=${inLinkAsBase64({ url: server.url, ...headers(server) })}`,
      config_path: "~/.lmstudio/mcp.json",
      notes: ["From 0.3.17 on. The file has the same settings under mcpServers."],
    }),
  (server) =>
    entry(server, {
      client: "GitHub Copilot coding agent",
      method: "config-file",
      snippet: json({
        mcpServers: {
          [server.name]: {
            type: "http",
            url: server.url,
            ...(server.authorization === undefined
              ? {}
              : { headers: { Authorization: `Bearer $COPILOT_${server.keyVariable}` } }),
            tools: ["*"],
          },
        },
      }),
      config_path: "Repository > Settings > Copilot > MCP servers",
      notes: [
        server.authorization !== undefined &&
          `Keep the key as the secret COPILOT_${server.keyVariable}: it sees those that begin with COPILOT_MCP_ only.`,
      ],
    }),
  (server) =>
    entry(server, {
      client: "Warp",
      method: "config-file",
      snippet: json({ mcpServers: { [server.name]: { url: server.url, ...headers(server) } } }),
      config_path: "Settings > Agents > MCP servers > + Add",
    }),
  (server) =>
    entry(server, {
      client: "AnythingLLM",
      method: "config-file",
      snippet: json({
        mcpServers: { [server.name]: { type: "streamable", url: server.url, ...headers(server) } },
      }),
      config_path: "Agent Skills > MCP Servers > Edit",
    }),
  (server) =>
    entry(server, {
      client: "Raycast",
      method: "deeplink",
      snippet: `raycast://mcp/install?${inLink({ name: server.name, type: "stdio", ...bridge(server) })}`,
      notes: [
        "Its link is known for local servers only, so mcp-remote bridges to this one; its form takes the address itself.",
      ],
    }),
  (server) =>
    entry(server, {
      client: "BoltAI",
      method: "config-file",
      snippet: bridged(server),
      config_path: "Settings > Plugins",
      notes: [BRIDGED],
    }),
  (server) =>
    entry(server, {
      client: "Witsy",
      method: "paste-url",
      snippet: server.url,
      config_path: "Settings > MCP, type HTTP",
      notes: [server.authorization !== undefined && `Add the header Authorization: ${server.authorization}.`],
    }),
  (server) =>
    entry(server, {
      client: "Postman",
      method: "paste-url",
      snippet: server.url,
      config_path: "New > MCP request > HTTP",
      notes: [server.authorization !== undefined && "Put the key under Authorization > Bearer Token."],
    }),
];
