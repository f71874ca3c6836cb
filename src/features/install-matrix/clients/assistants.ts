import type { Describe, Description } from "../client.ts";
import { AUTHORIZATION } from "../key.ts";
import { type Access, hasKey } from "../server.ts";
import { ALL_TOOLS, bridged, headers, mcpServers, remote, typed } from "../settings-file.ts";
import { literal, text } from "../template.ts";

const PUBLIC_HTTPS = "It connects from its own cloud: the server needs a public https address.";
const NO_BEARER = "It takes OAuth or no sign-in; there is no field for a bearer token.";
const BRIDGED = "It takes local servers only, so mcp-remote bridges to this one; Node.js must be installed.";

/** Its deep link has no place for a header. */
const goose = (access: Access): Description => ({
  client: "Goose",
  config_path: "~/.config/goose/config.yaml",
  ...(hasKey(access)
    ? {
        method: "config-file",
        snippet: text`extensions:
  "${"name"}":
    type: streamable_http
    name: "${"name"}"
    uri: ${"urlString"}
    enabled: true
    timeout: 300
    headers:
      Authorization: "${literal(AUTHORIZATION)}"
`,
        notes: ["The key is uri."],
      }
    : {
        method: "deeplink",
        snippet: text`goose://extension?url=${"urlComponent"}&type=streamable_http&timeout=300&id=${"name"}&name=${"name"}&description=${"name"}`,
      }),
});

/** Assistants in a window or a browser, and tools around them. */
export const ASSISTANTS: Describe = (access) => [
  {
    client: "Claude Desktop",
    method: "config-file",
    snippet: bridged(access),
    config_path: String.raw`~/Library/Application Support/Claude/claude_desktop_config.json or %APPDATA%\Claude\claude_desktop_config.json`,
    notes: [
      "Its file takes local servers only, so mcp-remote bridges to this one; Node.js must be installed.",
    ],
  },
  {
    client: "Claude.ai",
    method: "paste-url",
    snippet: text`${"url"}`,
    config_path: "Settings > Connectors > Add custom connector",
    notes: [access.plain && PUBLIC_HTTPS, hasKey(access) && NO_BEARER],
  },
  {
    client: "ChatGPT",
    method: "paste-url",
    snippet: text`${"url"}`,
    config_path: "Settings > Apps > Advanced > Developer mode > Create",
    notes: [access.plain && PUBLIC_HTTPS, hasKey(access) && NO_BEARER],
  },
  goose(access),
  {
    client: "LM Studio",
    method: "deeplink",
    snippet: text`lmstudio://add_mcp?name=${"name"}&config=${"settingsBase64"}`,
    config_path: "~/.lmstudio/mcp.json",
    notes: ["From 0.3.17 on. The file has the same settings under mcpServers."],
  },
  {
    client: "GitHub Copilot coding agent",
    method: "config-file",
    snippet: mcpServers(
      text`"type": "http",\n      "url": ${"urlString"}${headers(access, text`Bearer $COPILOT_${"keyVariable"}`)}${ALL_TOOLS}`,
    ),
    config_path: "Repository > Settings > Copilot > MCP servers",
    notes: [
      hasKey(access) &&
        text`Keep the key as the secret COPILOT_${"keyVariable"}: it sees those that begin with COPILOT_MCP_ only.`,
    ],
  },
  {
    client: "Warp",
    method: "config-file",
    snippet: mcpServers(remote(access)),
    config_path: "Settings > Agents > MCP servers > + Add",
  },
  {
    client: "AnythingLLM",
    method: "config-file",
    snippet: mcpServers(typed(access, "streamable")),
    config_path: "Agent Skills > MCP Servers > Edit",
  },
  {
    client: "Raycast",
    method: "deeplink",
    snippet: text`raycast://mcp/install?${"bridgeComponent"}`,
    notes: [
      "Its link is known for local servers only, so mcp-remote bridges to this one; its form takes the address itself.",
    ],
  },
  {
    client: "BoltAI",
    method: "config-file",
    snippet: bridged(access),
    config_path: "Settings > Plugins",
    notes: [BRIDGED],
  },
  {
    client: "Witsy",
    method: "paste-url",
    snippet: text`${"url"}`,
    config_path: "Settings > MCP, type HTTP",
    notes: [hasKey(access) && `Add the header Authorization: ${AUTHORIZATION}.`],
  },
  {
    client: "Postman",
    method: "paste-url",
    snippet: text`${"url"}`,
    config_path: "New > MCP request > HTTP",
    notes: [hasKey(access) && "Put the key under Authorization > Bearer Token."],
  },
];
