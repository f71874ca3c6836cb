import { type Describe, entry } from "../client.ts";
import type { Server } from "../server.ts";
import { bridge, command, headers, json } from "../syntax.ts";

/** `--header "Authorization: Bearer ..."`, or nothing. */
const headerOption = ({ authorization }: Server): string[] =>
  authorization === undefined ? [] : ["--header", `Authorization: ${authorization}`];

/** Command-line agents. */
export const COMMAND_LINES: readonly Describe[] = [
  (server) =>
    entry(server, {
      client: "Claude Code",
      method: "cli",
      // The header option takes all words after it, so it comes last.
      snippet: command(
        "claude",
        "mcp",
        "add",
        "--transport",
        "http",
        "--scope",
        "user",
        server.name,
        server.url,
        ...headerOption(server),
      ),
      config_path: "~/.claude.json, or .mcp.json for a project",
    }),
  (server) =>
    entry(server, {
      client: "Codex CLI",
      method: "cli",
      snippet: command(
        "codex",
        "mcp",
        "add",
        server.name,
        "--url",
        server.url,
        ...(server.authorization === undefined ? [] : ["--bearer-token-env-var", server.keyVariable]),
      ),
      config_path: "~/.codex/config.toml",
      notes: [
        server.authorization !== undefined &&
          `Put the key into the environment variable ${server.keyVariable}.`,
      ],
    }),
  (server) =>
    entry(server, {
      client: "Gemini CLI",
      method: "cli",
      snippet: command(
        "gemini",
        "mcp",
        "add",
        "--transport",
        "http",
        ...headerOption(server),
        server.name,
        server.url,
      ),
      config_path: "~/.gemini/settings.json or .gemini/settings.json",
      notes: ["In the file the key is httpUrl; url would mean SSE."],
    }),
  (server) =>
    entry(server, {
      client: "Qwen Code",
      method: "cli",
      snippet: command(
        "qwen",
        "mcp",
        "add",
        "--transport",
        "http",
        server.name,
        server.url,
        ...headerOption(server),
      ),
      config_path: "~/.qwen/settings.json",
      notes: ["In the file the key is httpUrl."],
    }),
  (server) =>
    entry(server, {
      client: "GitHub Copilot CLI",
      method: "config-file",
      snippet: json({
        mcpServers: { [server.name]: { type: "http", url: server.url, ...headers(server), tools: ["*"] } },
      }),
      config_path: "~/.copilot/mcp-config.json",
      notes: ["Or /mcp add in a session."],
    }),
  (server) =>
    entry(server, {
      client: "Amp",
      method: "cli",
      snippet: command(
        "amp",
        "mcp",
        "add",
        server.name,
        ...(server.authorization === undefined ? [] : ["--header", `Authorization=${server.authorization}`]),
        server.url,
      ),
      config_path: "~/.config/amp/settings.json, key amp.mcpServers",
      notes: ["The header is written with an equals sign."],
    }),
  (server) =>
    entry(server, {
      client: "opencode",
      method: "config-file",
      snippet: json({
        mcp: {
          [server.name]: { type: "remote", url: server.url, enabled: true, oauth: false, ...headers(server) },
        },
      }),
      config_path: "opencode.json or ~/.config/opencode/opencode.json",
    }),
  (server) =>
    entry(server, {
      client: "Crush",
      method: "config-file",
      snippet: command(
        "mcp",
        "add",
        server.name,
        "--type",
        "http",
        "--url",
        server.url,
        ...(server.authorization === undefined ? [] : ["--header", "Authorization", server.authorization]),
      ),
      config_path: ".crushrc, crushrc or ~/.config/crush/crushrc",
    }),
  (server) =>
    entry(server, {
      client: "Factory droid",
      method: "cli",
      snippet: command(
        "droid",
        "mcp",
        "add",
        server.name,
        server.url,
        "--type",
        "http",
        ...headerOption(server),
      ),
      config_path: "~/.factory/mcp.json or .factory/mcp.json",
    }),
  (server) =>
    entry(server, {
      client: "Amazon Q Developer CLI",
      method: "config-file",
      snippet: json({ mcpServers: { [server.name]: { type: "http", url: server.url, ...headers(server) } } }),
      config_path: "~/.aws/amazonq/mcp.json or .amazonq/mcp.json",
    }),
  (server) =>
    entry(server, {
      client: "Rovo Dev CLI",
      method: "config-file",
      snippet: json({ mcpServers: { [server.name]: { url: server.url, ...headers(server) } } }),
      config_path: "the file that acli rovodev mcp opens",
    }),
  (server) =>
    entry(server, {
      client: "mcp-remote, for any client of local servers",
      method: "cli",
      snippet: command(
        "npx",
        ...bridge({ ...server, authorization: undefined }).args,
        ...(server.authorization === undefined ? [] : ["--header", `Authorization:${server.authorization}`]),
        "--transport",
        "http-only",
      ),
    }),
];
