import { defineHandler } from "../../core/catalog/define.ts";
import { clientsFor } from "./clients.ts";
import installMatrix from "./index.ts";
import { serverOf } from "./server.ts";

export default defineHandler(installMatrix, ({ server_url, name, transport, auth }) => {
  const server = serverOf(server_url, name, auth);
  if (server === undefined) return { ok: false as const, error: "server_url must be an http or https URL." };
  const clients = clientsFor(server);
  return {
    clients,
    count: clients.length,
    server: { auth, name: server.name, transport, url: server.url },
  };
});
