import { bridgeArguments, bridgeEnvironment } from "./bridge.ts";
import { AUTHORIZATION } from "./key.ts";
import { type Access, hasKey } from "./server.ts";
import { literal, type Template, text } from "./template.ts";

/** A client's settings file with one server, under `group` and the server's name, laid out as a person would keep it. */
export const settingsFile = (group: string, fields: Template): Template =>
  text`{\n  "${literal(group)}": {\n    "${"name"}": {\n      ${fields}\n    }\n  }\n}`;

/** The most common shape: a map of servers by name. */
export const mcpServers = (fields: Template): Template => settingsFile("mcpServers", fields);

/** The address, and the header where there is one. */
export const remote = (access: Access, urlKey = "url"): Template =>
  text`"${literal(urlKey)}": ${"urlString"}${headers(access)}`;

/** The same with the kind of the connection, which each client spells its own way. */
export const typed = (access: Access, type: string): Template =>
  text`"type": "${literal(type)}",\n      ${remote(access)}`;

/** The field of the header, after another one; nothing without authentication. */
export const headers = (access: Access, authorization = literal(AUTHORIZATION)): Template =>
  hasKey(access)
    ? text`,\n      "headers": {\n        "Authorization": "${authorization}"\n      }`
    : literal("");

/** Lets the client use every tool of the server; after another field. */
export const ALL_TOOLS = literal(',\n      "tools": [\n        "*"\n      ]');

/** The command of a bridge to the server, for a client that takes local ones only. */
export function bridged(access: Access): Template {
  const [before, after] = json({
    command: "npx",
    args: bridgeArguments(access, "URL"),
    ...bridgeEnvironment(access),
  }).split('"URL"') as [string, string];
  return mcpServers(text`${literal(before)}${"urlString"}${literal(after)}`);
}

/** The fields of an object as they stand in a settings file. */
const json = (value: object): string =>
  JSON.stringify(value, null, 2).slice(4, -2).replaceAll("\n", "\n    ");
