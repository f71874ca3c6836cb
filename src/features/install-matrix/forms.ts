import { bridgeArguments, bridgeEnvironment } from "./bridge.ts";
import { AUTHORIZATION } from "./key.ts";
import { hasKey, type Server } from "./server.ts";
import type { Forms } from "./template.ts";

/** Every form of a server that a template may ask for. */
export function formsOf(server: Server): Forms {
  const { name, url } = server;
  const settings = { url, ...(hasKey(server) ? { headers: { Authorization: AUTHORIZATION } } : {}) };
  const bridge = { command: "npx", args: bridgeArguments(server, url), ...bridgeEnvironment(server) };
  return {
    name,
    url,
    urlWord: shellWord(url),
    // TOML and YAML take JSON's strings, and a parsed URL holds nothing that they see otherwise.
    urlString: JSON.stringify(url),
    urlComponent: encodeURIComponent(url),
    keyVariable: `MCP_${name.toUpperCase().replaceAll("-", "_")}_KEY`,
    settingsComponent: component(settings),
    // RFC 4648, section 4.
    settingsBase64: encodeURIComponent(Buffer.from(JSON.stringify(settings)).toString("base64")),
    namedComponent: component({ name, type: "http", ...settings }),
    bridgeComponent: component({ name, type: "stdio", ...bridge }),
  };
}

const component = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/** A text as a word of a POSIX shell, quoted where the shell would take it apart (XCU 2.2.2). */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
