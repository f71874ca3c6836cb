import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import type { Client } from "../../../src/features/install-matrix/client.ts";
import { clientsFor } from "../../../src/features/install-matrix/clients.ts";
import { hasKey, type Server, serverOf } from "../../../src/features/install-matrix/server.ts";

const PLACEHOLDER = "YOUR_API_KEY";
const HOSTILE_URL = 'https://mcp.example.com/a\'b$(id)`id`;x?q=1&r="%20"#\\n|<>';

const servers: [string, Server][] = [
  ["without a key", known("https://mcp.example.com/mcp", "tools", "none")],
  ["with a key", known("https://mcp.example.com/mcp", "tools", "bearer-required")],
  [
    "with a key that is optional",
    known("http://localhost:3000/mcp?a=1&b=2", "my_tools-2", "bearer-optional"),
  ],
  ["with a hostile address", known(HOSTILE_URL, "a'b\"; rm -rf", "bearer-required")],
];

function known(url: string, name: string, auth: "none" | "bearer-optional" | "bearer-required"): Server {
  const server = serverOf(url, name, auth);
  if (server === undefined) throw new Error(`${url} is no address`);
  return server;
}

describe.each(servers)("a server %s", (_name, server) => {
  it.each(clientsFor(server))("is read back from the snippet of $client, a $method", (client) => {
    const strings = stringsOf(readBack(client));
    expect(strings).toContain(server.url);
    const authorizations = strings.filter((text) => /bearer|token-env-var/i.test(text));
    const takesHeaders = client.method !== "paste-url";
    expect(authorizations.length > 0).toBe(takesHeaders && hasKey(server));
  });
});

const matrix = clientsFor(known("https://a.test/", "a", "bearer-required"));
const snippetOf = (name: string): string => matrix.find(({ client }) => client === name)?.snippet ?? "";

describe("the matrix", () => {
  it("lists at least 29 clients, each once", () => {
    expect(matrix.length).toBeGreaterThanOrEqual(29);
    expect(new Set(matrix.map(({ client }) => client)).size).toBe(matrix.length);
  });

  it("knows where each snippet goes, but for a link or a command that finds its own way", () => {
    const homeless = matrix.filter(
      ({ config_path: path, method }) => path === undefined && method !== "deeplink",
    );
    expect(homeless.map(({ client }) => client)).toEqual(["mcp-remote, for any client of local servers"]);
  });

  it("spells each client's own key for the address", () => {
    expect(snippetOf("Windsurf")).toContain('"serverUrl"');
    expect(snippetOf("Antigravity")).toContain('"serverUrl"');
    expect(snippetOf("Goose")).toContain("uri:");
    expect(snippetOf("Zed")).toContain('"context_servers"');
    expect(snippetOf("Kilo Code")).toContain('"type": "remote"');
    expect(snippetOf("Cline")).toContain('"type": "streamableHttp"');
    expect(snippetOf("Roo Code")).toContain('"type": "streamable-http"');
    expect(snippetOf("AnythingLLM")).toContain('"type": "streamable"');
  });

  it("holds no key but the placeholder", () => {
    for (const client of matrix) {
      for (const text of stringsOf(readBack(client))) {
        const bearer = /Bearer (\S+)/.exec(text)?.[1];
        expect([undefined, PLACEHOLDER, "$COPILOT_MCP_A_KEY"]).toContain(bearer);
      }
    }
  });
});

describe("a server's name", () => {
  it("is always safe in every syntax, of 1 to 48 characters, without hyphens at its ends", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.webUrl(), (name, url) => {
        expect(known(url, name, "none").name).toMatch(/^(?!-)[a-z0-9_-]{1,48}(?<!-)$/);
      }),
    );
  });

  it.each([
    ["My Tools!", "my-tools"],
    ["  --A__b--c  ", "a__b--c"],
    ["ÄÖÜ tools", "tools"],
    ["x".repeat(60), "x".repeat(48)],
    [`${"x".repeat(47)} yy`, "x".repeat(47)],
    ["***", "mcp-example-com"],
  ])("%j becomes %j", (name, expected) => {
    expect(known("https://mcp.example.com/mcp", name, "none").name).toBe(expected);
  });
});

/** What a client would read: the parsed file, the words of the command, the parts of the link. */
function readBack({ client, method, snippet, config_path: path = "" }: Client): unknown {
  if (method === "paste-url") return snippet;
  if (method === "cli" || client === "Crush") return shellWords(snippet);
  if (method === "deeplink") return partsOf(new URL(snippet));
  if (path.includes(".toml")) return parseToml(snippet);
  if (path.includes(".yaml")) return parseYaml(snippet);
  return JSON.parse(snippet);
}

/** A real shell takes the words apart. */
function shellWords(snippet: string): string[] {
  const output = execFileSync("sh", ["-c", `printf '%s\\0' ${snippet}`], { encoding: "utf8" });
  return output.split("\0").slice(0, -1);
}

function partsOf(link: URL): unknown {
  const whole = link.search.slice(1);
  if (whole.startsWith("%7B")) return JSON.parse(decodeURIComponent(whole));
  return [...link.searchParams].map(([name, value]) => {
    if (name !== "config") return value;
    return JSON.parse(
      value.startsWith("{") ? value : Buffer.from(value, "base64").toString("utf8"),
    ) as unknown;
  });
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
