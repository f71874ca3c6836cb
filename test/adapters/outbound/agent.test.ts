import { Resolver } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Agent, request } from "undici";
import { createOutboundAgent } from "../../../src/adapters/outbound/agent.ts";
import { type NameServer, startNameServer } from "../../support/name-server.ts";

const NAMES = {
  "loopback.example.com": ["127.0.0.1"],
  "loopback6.example.com": ["::1"],
  "mapped.example.com": ["::ffff:127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "inside.example.com": ["10.1.2.3"],
  "nat64.example.com": ["64:ff9b::7f00:1"],
  "mixed.example.com": ["93.184.215.14", "127.0.0.1"],
  "mixed6.example.com": ["93.184.215.14", "fd00::1"],
  "silent.example.com": null,
};
const REFUSED = "not at a public address";
/** Containers are often without. */
const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((own) => own?.address === "::1");
const OVER_IPV6 = ["[::1]", "loopback6.example.com"];

let nameServer: NameServer;
let guarded: Agent;
let open: Agent;
let server: Server;
let port: number;
let connections: number;

beforeAll(async () => {
  nameServer = await startNameServer(NAMES);
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([nameServer.address]);
  guarded = createOutboundAgent({ allowPrivate: false }, resolver);
  open = createOutboundAgent({ allowPrivate: true }, resolver);
  server = createServer((_request, response) => response.end("hello"));
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, HAS_IPV6 ? "::" : "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  connections = 0;
});
afterAll(async () => {
  await Promise.all([guarded.destroy(), open.destroy()]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await nameServer.close();
});

const get = (dispatcher: Agent, host: string) => request(`http://${host}:${port}/`, { dispatcher });

it.each(["127.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"])(
  "never connects to the literal address %s",
  async (host) => {
    await expect(get(guarded, host)).rejects.toThrow(REFUSED);
    expect(connections).toBe(0);
  },
);

it.each(["localhost", "a.localhost", ...Object.keys(NAMES).filter((name) => !name.startsWith("silent"))])(
  "never connects to %s, of which an address is not public",
  async (host) => {
    await expect(get(guarded, host)).rejects.toThrow(REFUSED);
    expect(connections).toBe(0);
  },
);

it("tells a name that is not there, or of which nobody tells, from one that is refused", async () => {
  await expect(get(guarded, "nobody.example.com")).rejects.toThrow("ENOTFOUND");
  await expect(get(guarded, "silent.example.com")).rejects.toThrow("ETIMEOUT");
});

it.each(["127.0.0.1", "localhost", "loopback.example.com", ...(HAS_IPV6 ? OVER_IPV6 : [])])(
  "connects to %s where loopback is allowed",
  async (host) => {
    const { statusCode, body } = await get(open, host);
    expect([statusCode, await body.text()]).toEqual([200, "hello"]);
  },
);

it.each(["169.254.169.254", "192.168.0.1", "[fd00::1]", "inside.example.com", "mixed6.example.com"])(
  "never connects to %s, also where loopback is allowed",
  async (host) => {
    await expect(get(open, host)).rejects.toThrow(REFUSED);
  },
);
