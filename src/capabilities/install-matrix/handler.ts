import { defineHandler } from "../../core/catalog/define.ts";
import { CLIENTS } from "./clients.ts";
import installMatrix from "./index.ts";
import { serverOf } from "./server.ts";

export default defineHandler(installMatrix, ({ server_url, name, transport, auth }) => {
  const server = serverOf(server_url, name, auth);
  if (server === undefined) return { ok: false as const, error: "server_url must be an http or https URL." };
  const clients = CLIENTS.map((describe) => describe(server));
  return {
    server: { name: server.name, url: server.url, transport, auth },
    clients,
    count: clients.length,
  };
});
