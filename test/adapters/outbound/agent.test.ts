import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Agent, request } from "undici";
import { createOutboundAgent } from "../../../src/adapters/outbound/agent.ts";

const guarded = createOutboundAgent({ allowPrivate: false });
const open = createOutboundAgent({ allowPrivate: true });
let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  server = createServer((_request, response) => response.end("hello"));
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await Promise.all([guarded.destroy(), open.destroy()]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get = (dispatcher: Agent, host: string) => request(`http://${host}:${port}/`, { dispatcher });

it("never connects to a literal address that is not public", async () => {
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1"]) {
    await expect(get(guarded, host), host).rejects.toThrow("not at a public address");
  }
  expect(connections).toBe(0);
});

it("never connects to a name that resolves to an address that is not public", async () => {
  await expect(get(guarded, "localhost")).rejects.toThrow("not at a public address");
  expect(connections).toBe(0);
});

it("connects to loopback, and to nothing else that is private, where that is allowed", async () => {
  const { statusCode, body } = await get(open, "localhost");
  expect([statusCode, await body.text()]).toEqual([200, "hello"]);
  connections = 0;
  await expect(get(open, "169.254.169.254")).rejects.toThrow("not at a public address");
  await expect(get(open, "192.168.0.1")).rejects.toThrow("not at a public address");
});
