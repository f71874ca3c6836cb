import type { Describe } from "../client.ts";
import { AUTHORIZATION } from "../key.ts";
import { type Access, hasKey } from "../server.ts";
import { mcpServers, remote, settingsFile, typed } from "../settings-file.ts";
import { literal, type Template, text } from "../template.ts";

const continueYaml = (access: Access): Template =>
  text`name: "${"name"}"
version: "1.0.0"
schema: v1
mcpServers:
  - name: "${"name"}"
    type: streamable-http
    url: ${"urlString"}
${literal(hasKey(access) ? `    requestOptions:\n      headers:\n        Authorization: "${AUTHORIZATION}"\n` : "")}`;

const codexToml = (access: Access): Template =>
  text`[mcp_servers.${"name"}]
url = ${"urlString"}
${literal(hasKey(access) ? `http_headers = { "Authorization" = "${AUTHORIZATION}" }\n` : "")}`;

const requestInit = (access: Access): Template =>
  literal(
    hasKey(access)
      ? `,\n      "requestInit": {\n        "headers": {\n          "Authorization": "${AUTHORIZATION}"\n        }\n      }`
      : "",
  );

/** Editors and what runs in them. */
export const EDITORS: Describe = (access) => [
  {
    client: "Cursor",
    method: "deeplink",
    snippet: text`cursor://anysphere.cursor-deeplink/mcp/install?name=${"name"}&config=${"settingsBase64"}`,
    config_path: "~/.cursor/mcp.json or .cursor/mcp.json",
    notes: ["The file has the same settings under mcpServers."],
  },
  {
    client: "VS Code",
    method: "deeplink",
    snippet: text`vscode:mcp/install?${"namedComponent"}`,
    config_path: ".vscode/mcp.json, or MCP: Open User Configuration",
    notes: ["The file has the same settings under servers, not mcpServers."],
  },
  {
    client: "Visual Studio",
    method: "config-file",
    snippet: settingsFile("servers", typed(access, "http")),
    config_path: String.raw`.mcp.json beside the solution, or %USERPROFILE%\.mcp.json`,
    notes: ["From 17.14.9 on."],
  },
  {
    client: "Windsurf",
    method: "config-file",
    snippet: mcpServers(remote(access, "serverUrl")),
    config_path: "~/.codeium/windsurf/mcp_config.json",
    notes: ["The key is serverUrl."],
  },
  {
    client: "Cline",
    method: "config-file",
    snippet: mcpServers(text`${typed(access, "streamableHttp")},\n      "disabled": false`),
    config_path: "cline_mcp_settings.json, from MCP Servers > Configure",
    notes: ["Without the type it tries SSE and fails."],
  },
  {
    client: "Roo Code",
    method: "config-file",
    snippet: mcpServers(typed(access, "streamable-http")),
    config_path: ".roo/mcp.json, or the global mcp_settings.json",
    notes: ["The type is written with a hyphen."],
  },
  {
    client: "Kilo Code",
    method: "config-file",
    snippet: settingsFile("mcp", text`${typed(access, "remote")},\n      "enabled": true`),
    config_path: "kilo.jsonc, .kilo/kilo.jsonc or ~/.config/kilo/kilo.jsonc",
  },
  {
    client: "Continue",
    method: "config-file",
    snippet: continueYaml(access),
    config_path: text`.continue/mcpServers/${"name"}.yaml`,
  },
  {
    client: "Zed",
    method: "config-file",
    snippet: settingsFile("context_servers", remote(access)),
    config_path: "~/.config/zed/settings.json or .zed/settings.json",
    notes: [!hasKey(access) && "Without a header it asks the server for OAuth."],
  },
  {
    client: "Codex IDE extension",
    method: "config-file",
    snippet: codexToml(access),
    config_path: "~/.codex/config.toml or .codex/config.toml",
  },
  {
    client: "Antigravity",
    method: "config-file",
    snippet: mcpServers(remote(access, "serverUrl")),
    config_path: "~/.gemini/antigravity/mcp_config.json",
    notes: ["The key is serverUrl."],
  },
  {
    client: "JetBrains AI Assistant and Junie",
    method: "config-file",
    snippet: mcpServers(remote(access)),
    config_path: "Settings > Tools > AI Assistant (or Junie) > MCP > Add > HTTP",
    notes: ["Older builds take local servers only.", hasKey(access) && "Its documents show no headers."],
  },
  {
    client: "GitHub Copilot in JetBrains, Xcode and Eclipse",
    method: "config-file",
    snippet: settingsFile("servers", text`"url": ${"urlString"}${requestInit(access)}`),
    config_path: "Copilot icon > Edit Settings > MCP > Configure (mcp.json)",
  },
  {
    client: "Kiro",
    method: "deeplink",
    snippet: text`https://kiro.dev/launch/mcp/add?name=${"name"}&config=${"settingsComponent"}`,
    config_path: "~/.kiro/settings/mcp.json or .kiro/settings/mcp.json",
    notes: [
      "The file has the same settings under mcpServers.",
      access.plain && "It takes plain HTTP from localhost only.",
    ],
  },
  {
    client: "Trae",
    method: "config-file",
    snippet: mcpServers(remote(access)),
    config_path: "MCP > Add > Add manually",
  },
  {
    client: "Qodo Gen",
    method: "config-file",
    snippet: mcpServers(remote(access)),
    config_path: "Connect more tools > + Add new MCP",
    notes: [hasKey(access) && "Its documents show no headers."],
  },
];
