import { type Describe, entry } from "../client.ts";
import type { Server } from "../server.ts";
import { headers, inLink, inLinkAsBase64, json, quoted } from "../syntax.ts";

/** The most common shape: a map of servers by name. */
const mcpServers = (server: Server, settings: object): string =>
  json({ mcpServers: { [server.name]: settings } });

const remote = (server: Server): object => ({ url: server.url, ...headers(server) });
const typed = (server: Server, type: string): object => ({ type, url: server.url, ...headers(server) });

const continueYaml = (server: Server): string =>
  [
    `name: ${quoted(server.name)}`,
    'version: "1.0.0"',
    "schema: v1",
    "mcpServers:",
    `  - name: ${quoted(server.name)}`,
    "    type: streamable-http",
    `    url: ${quoted(server.url)}`,
    ...(server.authorization === undefined
      ? []
      : ["    requestOptions:", "      headers:", `        Authorization: ${quoted(server.authorization)}`]),
    "",
  ].join("\n");

const HTTPS_ONLY = "It takes plain HTTP from localhost only.";

/** Editors and what runs in them. */
export const EDITORS: readonly Describe[] = [
  (server) =>
    entry(server, {
      client: "Cursor",
      method: "deeplink",
      snippet: `cursor://anysphere.cursor-deeplink/mcp/install?name=${server.name}&config=${inLinkAsBase64(remote(server))}`,
      config_path: "~/.cursor/mcp.json or .cursor/mcp.json",
      notes: ["The file has the same settings under mcpServers."],
    }),
  (server) =>
    entry(server, {
      client: "VS Code",
      method: "deeplink",
      snippet: `vscode:mcp/install?${inLink({ name: server.name, ...typed(server, "http") })}`,
      config_path: ".vscode/mcp.json, or MCP: Open User Configuration",
      notes: ["The file has the same settings under servers, not mcpServers."],
    }),
  (server) =>
    entry(server, {
      client: "Visual Studio",
      method: "config-file",
      snippet: json({ servers: { [server.name]: typed(server, "http") } }),
      config_path: String.raw`.mcp.json beside the solution, or %USERPROFILE%\.mcp.json`,
      notes: ["From 17.14.9 on."],
    }),
  (server) =>
    entry(server, {
      client: "Windsurf",
      method: "config-file",
      snippet: mcpServers(server, { serverUrl: server.url, ...headers(server) }),
      config_path: "~/.codeium/windsurf/mcp_config.json",
      notes: ["The key is serverUrl."],
    }),
  (server) =>
    entry(server, {
      client: "Cline",
      method: "config-file",
      snippet: mcpServers(server, { ...typed(server, "streamableHttp"), disabled: false }),
      config_path: "cline_mcp_settings.json, from MCP Servers > Configure",
      notes: ["Without the type it tries SSE and fails."],
    }),
  (server) =>
    entry(server, {
      client: "Roo Code",
      method: "config-file",
      snippet: mcpServers(server, typed(server, "streamable-http")),
      config_path: ".roo/mcp.json, or the global mcp_settings.json",
      notes: ["The type is written with a hyphen."],
    }),
  (server) =>
    entry(server, {
      client: "Kilo Code",
      method: "config-file",
      snippet: json({ mcp: { [server.name]: { ...typed(server, "remote"), enabled: true } } }),
      config_path: "kilo.jsonc, .kilo/kilo.jsonc or ~/.config/kilo/kilo.jsonc",
    }),
  (server) =>
    entry(server, {
      client: "Continue",
      method: "config-file",
      snippet: continueYaml(server),
      config_path: `.continue/mcpServers/${server.name}.yaml`,
    }),
  (server) =>
    entry(server, {
      client: "Zed",
      method: "config-file",
      snippet: json({ context_servers: { [server.name]: remote(server) } }),
      config_path: "~/.config/zed/settings.json or .zed/settings.json",
      notes: [server.authorization === undefined && "Without a header it asks the server for OAuth."],
    }),
  (server) =>
    entry(server, {
      client: "Codex IDE extension",
      method: "config-file",
      snippet: [
        `[mcp_servers.${server.name}]`,
        `url = ${quoted(server.url)}`,
        ...(server.authorization === undefined
          ? []
          : [`http_headers = { "Authorization" = ${quoted(server.authorization)} }`]),
        "",
      ].join("\n"),
      config_path: "~/.codex/config.toml or .codex/config.toml",
    }),
  (server) =>
    entry(server, {
      client: "Antigravity",
      method: "config-file",
      snippet: mcpServers(server, { serverUrl: server.url, ...headers(server) }),
      config_path: "~/.gemini/antigravity/mcp_config.json",
      notes: ["The key is serverUrl."],
    }),
  (server) =>
    entry(server, {
      client: "JetBrains AI Assistant and Junie",
      method: "config-file",
      snippet: mcpServers(server, remote(server)),
      config_path: "Settings > Tools > AI Assistant (or Junie) > MCP > Add > HTTP",
      notes: [
        "Older builds take local servers only.",
        server.authorization !== undefined && "Its documents show no headers.",
      ],
    }),
  (server) =>
    entry(server, {
      client: "GitHub Copilot in JetBrains, Xcode and Eclipse",
      method: "config-file",
      snippet: json({
        servers: {
          [server.name]: {
            url: server.url,
            ...(server.authorization === undefined ? {} : { requestInit: headers(server) }),
          },
        },
      }),
      config_path: "Copilot icon > Edit Settings > MCP > Configure (mcp.json)",
    }),
  (server) =>
    entry(server, {
      client: "Kiro",
      method: "deeplink",
      snippet: `https://kiro.dev/launch/mcp/add?name=${server.name}&config=${inLink(remote(server))}`,
      config_path: "~/.kiro/settings/mcp.json or .kiro/settings/mcp.json",
      notes: ["The file has the same settings under mcpServers.", server.plain && HTTPS_ONLY],
    }),
  (server) =>
    entry(server, {
      client: "Trae",
      method: "config-file",
      snippet: mcpServers(server, remote(server)),
      config_path: "MCP > Add > Add manually",
    }),
  (server) =>
    entry(server, {
      client: "Qodo Gen",
      method: "config-file",
      snippet: mcpServers(server, remote(server)),
      config_path: "Connect more tools > + Add new MCP",
      notes: [server.authorization !== undefined && "Its documents show no headers."],
    }),
];
