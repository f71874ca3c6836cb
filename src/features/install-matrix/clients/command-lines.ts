import type { Describe } from "../client.ts";
import { AUTHORIZATION } from "../key.ts";
import { type Access, hasKey } from "../server.ts";
import { ALL_TOOLS, headers, mcpServers, remote, settingsFile, typed } from "../settings-file.ts";
import { literal, type Template, text } from "../template.ts";

/** The option of the header, after a space; nothing without authentication. */
const header = (access: Access, between = ": "): Template =>
  option(access, `--header 'Authorization${between}${AUTHORIZATION}'`);

/** What stands in the command only where there is a key. */
const option = (access: Access, words: string): Template => literal(hasKey(access) ? ` ${words}` : "");

/** Command-line agents. */
export const COMMAND_LINES: Describe = (access) => [
  {
    client: "Claude Code",
    method: "cli",
    // The header option takes all words after it, so it comes last.
    snippet: text`claude mcp add --transport http --scope user ${"name"} ${"urlWord"}${header(access)}`,
    config_path: "~/.claude.json, or .mcp.json for a project",
  },
  {
    client: "Codex CLI",
    method: "cli",
    snippet: text`codex mcp add ${"name"} --url ${"urlWord"}${hasKey(access) ? text` --bearer-token-env-var ${"keyVariable"}` : literal("")}`,
    config_path: "~/.codex/config.toml",
    notes: [hasKey(access) && text`Put the key into the environment variable ${"keyVariable"}.`],
  },
  {
    client: "Gemini CLI",
    method: "cli",
    snippet: text`gemini mcp add --transport http${header(access)} ${"name"} ${"urlWord"}`,
    config_path: "~/.gemini/settings.json or .gemini/settings.json",
    notes: ["In the file the key is httpUrl; url would mean SSE."],
  },
  {
    client: "Qwen Code",
    method: "cli",
    snippet: text`qwen mcp add --transport http ${"name"} ${"urlWord"}${header(access)}`,
    config_path: "~/.qwen/settings.json",
    notes: ["In the file the key is httpUrl."],
  },
  {
    client: "GitHub Copilot CLI",
    method: "config-file",
    snippet: mcpServers(text`${typed(access, "http")}${ALL_TOOLS}`),
    config_path: "~/.copilot/mcp-config.json",
    notes: ["Or /mcp add in a session."],
  },
  {
    client: "Amp",
    method: "cli",
    snippet: text`amp mcp add ${"name"}${header(access, "=")} ${"urlWord"}`,
    config_path: "~/.config/amp/settings.json, key amp.mcpServers",
    notes: ["The header is written with an equals sign."],
  },
  {
    client: "opencode",
    method: "config-file",
    snippet: settingsFile(
      "mcp",
      text`"type": "remote",\n      "url": ${"urlString"},\n      "enabled": true,\n      "oauth": false${headers(access)}`,
    ),
    config_path: "opencode.json or ~/.config/opencode/opencode.json",
  },
  {
    client: "Crush",
    method: "config-file",
    snippet: text`mcp add ${"name"} --type http --url ${"urlWord"}${option(access, `--header Authorization '${AUTHORIZATION}'`)}`,
    config_path: ".crushrc, crushrc or ~/.config/crush/crushrc",
  },
  {
    client: "Factory droid",
    method: "cli",
    snippet: text`droid mcp add ${"name"} ${"urlWord"} --type http${header(access)}`,
    config_path: "~/.factory/mcp.json or .factory/mcp.json",
  },
  {
    client: "Amazon Q Developer CLI",
    method: "config-file",
    snippet: mcpServers(typed(access, "http")),
    config_path: "~/.aws/amazonq/mcp.json or .amazonq/mcp.json",
  },
  {
    client: "Rovo Dev CLI",
    method: "config-file",
    snippet: mcpServers(remote(access)),
    config_path: "the file that acli rovodev mcp opens",
  },
  {
    client: "mcp-remote, for any client of local servers",
    method: "cli",
    snippet: text`npx -y mcp-remote ${"urlWord"}${literal(access.plain ? " --allow-http" : "")}${header(access, ":")} --transport http-only`,
  },
];
