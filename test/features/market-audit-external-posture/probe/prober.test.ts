import { Resolver } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  createProber,
  type ProbeWorld,
} from "../../../../src/features/market-audit-external-posture/probe/prober.ts";
import type {
  ProbeAnswer,
  ProbeMiss,
  ProbeSession,
} from "../../../../src/features/market-audit-external-posture/probe/probe.ts";
import { CONTACT, startTestWorld, type TestWorld } from "../../../support/probe-world.ts";
import { startTlsHost, type TlsHost } from "../../../support/tls-host.ts";
import { until } from "../../../support/until.ts";

const HOST = "www.example.com";
const NEVER = new AbortController().signal;

const answers: string[][] = [];
const NAMES = {
  [HOST]: ["127.0.0.1"],
  "rebinding.example.com": () => answers.shift() ?? ["10.0.0.1"],
  "loopback.example.com": ["127.0.0.1"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "10-0-0-1.sslip.io": ["10.0.0.1"],
  "a9fea9fe.nip.io": ["169.254.169.254"],
  "mixed.example.com": ["93.184.215.14", "10.0.0.1"],
  "mixed6.example.com": ["93.184.215.14", "::1"],
  "mapped.example.com": ["::ffff:127.0.0.1"],
  "nat64.example.com": ["64:ff9b::7f00:1"],
  "unique-local.example.com": ["fd00:ec2::254"],
  "shared.example.com": ["100.64.0.1"],
  "empty.example.com": [],
  "silent.example.com": null,
};

let world: TestWorld;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  world = await startTestWorld(NAMES);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await world.close();
});

type Answer = Parameters<typeof startTlsHost>[1];

async function host(answer: Answer, name = HOST): Promise<TlsHost> {
  const started = await startTlsHost({ name, authority: world.authority }, answer);
  opened.push(started);
  return started;
}

/** Opens a session to a host on the loopback, which is as good as public in this world. */
async function open(
  { port }: { readonly port: number },
  options: ProbeWorld = {},
  name = HOST,
): Promise<ProbeSession> {
  const session = await world.prober(port, options).open(name, NEVER);
  opened.push(session);
  return session;
}

const answered = (answer: ProbeAnswer | ProbeMiss): ProbeAnswer => {
  if ("missed" in answer) throw new Error(`no answer: ${answer.code}`);
  return answer;
};
const text = ({ body }: ProbeAnswer): string => Buffer.from(body).toString("utf8");

it("gets a path, and says who it is", async () => {
  const server = await host((_request, response) => response.setHeader("x-one", ["a", "b"]).end("hello"));
  const session = await open(server);
  const answer = answered(await session.request({ path: "/a?b=c" }));
  expect(answer).toMatchObject({ status: 200, complete: true });
  expect(answer.headers.get("x-one")).toEqual(["a", "b"]);
  expect(text(answer)).toBe("hello");
  expect(server.asked).toEqual([
    {
      method: "GET",
      path: "/a?b=c",
      headers: {
        host: `${HOST}:${server.port}`,
        connection: "keep-alive",
        "user-agent": `Meshforge-Posture-Probe/1.0 (+${CONTACT})`,
        accept: "*/*",
        "accept-encoding": "identity",
      },
    },
  ]);
});

it.each(
  Object.keys(NAMES).filter(
    (name) => ![HOST, "rebinding.example.com", "empty.example.com", "silent.example.com"].includes(name),
  ),
)("refuses %s, of which an address is not public, as the service makes it", async (name) => {
  const prober = createProber(CONTACT, { resolver: world.resolver });
  await expect(prober.open(name, NEVER)).rejects.toMatchObject({ code: "host_refused" });
});

it.each(["nobody.example.com", "empty.example.com", "silent.example.com"])(
  "says of %s, which has no address, that it is unreachable",
  async (name) => {
    const prober = createProber(CONTACT, { resolver: world.resolver });
    await expect(prober.open(name, NEVER)).rejects.toMatchObject({ code: "host_unreachable" });
  },
);

it("gives a name server no more than the probe's time", async () => {
  const patient = new Resolver({ timeout: 5_000, tries: 1 });
  patient.setServers(world.resolver.getServers());
  const prober = createProber(CONTACT, { resolver: patient, limits: { totalMs: 100 } });
  await expect(prober.open("silent.example.com", NEVER)).rejects.toMatchObject({ code: "host_unreachable" });
});

it("keeps to the addresses that it checked when the name is bound to others", async () => {
  const server = await host((_request, response) => response.setHeader("connection", "close").end("checked"));
  // One question for each family of addresses; whoever asks again is sent inside.
  answers.push(["127.0.0.1"], ["127.0.0.1"]);
  const session = await open(server, {}, "rebinding.example.com");
  for (let n = 0; n < 3; n++) expect(text(answered(await session.request({ path: "/" })))).toBe("checked");
  expect(server.connections.made).toBe(3);
  expect(answers).toEqual([]);
});

it("sends nothing when the connected address is refused after all", async () => {
  const server = await host((_request, response) => response.end("secret"));
  let checks = 0;
  const session = await open(server, { allowed: () => ++checks === 1 });
  await expect(session.request({ path: "/" })).rejects.toMatchObject({ code: "host_refused" });
  expect(checks).toBe(2);
  expect(server.asked).toEqual([]);
});

it("follows no redirect and keeps no cookie", async () => {
  const server = await host((_request, response) => {
    response.writeHead(302, { location: "/elsewhere", "set-cookie": "a=b" }).end();
  });
  const session = await open(server);
  for (let n = 0; n < 2; n++) expect(answered(await session.request({ path: "/" })).status).toBe(302);
  expect(server.asked.map(({ path }) => path)).toEqual(["/", "/"]);
  expect(server.asked[1]?.headers.cookie).toBeUndefined();
});

it("cuts a body that does not end", async () => {
  const server = await host((_request, response) => {
    const more = (): void => {
      while (response.write(Buffer.alloc(65_536, "a")));
      response.once("drain", more);
    };
    more();
  });
  // By its size, long before its time.
  const session = await open(server, {
    limits: { responseBytes: 200_000, requestMs: 120_000, totalMs: 240_000 },
  });
  const start = performance.now();
  const whole = answered(await session.request({ path: "/" }));
  expect(performance.now() - start).toBeLessThan(120_000);
  expect([whole.body.length, whole.complete]).toEqual([200_000, false]);
  const part = answered(await session.request({ path: "/", maxBytes: 1_000 }));
  expect([part.body.length, part.complete]).toEqual([1_000, false]);
  const most = answered(await session.request({ path: "/", maxBytes: 1_000_000 }));
  expect(most.body.length).toBe(200_000);
});

it("takes of a trickle what came in time", async () => {
  const server = await host((_request, response) => {
    const timer = setInterval(() => response.write("a"), 20);
    response.on("close", () => clearInterval(timer));
  });
  const session = await open(server, { limits: { requestMs: 2_000 } });
  const { body, complete } = answered(await session.request({ path: "/" }));
  expect(complete).toBe(false);
  expect(body.length).toBeGreaterThan(0);
  expect(body.length).toBeLessThanOrEqual(100);
});

it("waits for no answer longer than a request may take, and for none once the probe's time is over", async () => {
  const server = await host(() => undefined);
  const session = await open(server, { limits: { requestMs: 300, totalMs: 3_000 } });
  expect(await session.request({ path: "/" })).toMatchObject({ missed: "time" });
  expect(session.spent).toBe(false);
  await session.request({ path: "/" });
  await until(() => session.spent);
  expect(await session.request({ path: "/late" })).toMatchObject({ missed: "time" });
  expect(server.asked.map(({ path }) => path)).not.toContain("/late");
});

it("stops when its caller does", async () => {
  const server = await host(() => undefined);
  const stop = new AbortController();
  const session = await world.prober(server.port).open(HOST, stop.signal);
  opened.push(session);
  const asking = session.request({ path: "/" });
  await until(() => Promise.resolve(server.asked.length === 1));
  stop.abort();
  expect(await asking).toMatchObject({ missed: "time" });
});

it("makes no more requests than it may, handshakes included", async () => {
  const server = await host((_request, response) => response.end());
  const session = await open(server, { limits: { requests: 4 } });
  await session.speaksOldTls();
  for (let n = 0; n < 3; n++) answered(await session.request({ path: "/" }));
  expect(await session.request({ path: "/" })).toMatchObject({ missed: "requests" });
  expect(await session.speaksOldTls()).toBeNull();
  expect(server.asked).toHaveLength(3);
});

it("holds at most so many connections at once", async () => {
  const server = await host((_request, response) => setTimeout(() => response.end(), 20));
  const session = await open(server, { limits: { connections: 3 } });
  await Promise.all(Array.from({ length: 12 }, () => session.request({ path: "/" })));
  expect(server.asked).toHaveLength(12);
  expect(server.connections.most).toBe(3);
});

it("misses an answer whose headers are too large", async () => {
  const server = await host((_request, response) => {
    for (let n = 0; n < 40; n++) response.setHeader(`x-${n}`, "a".repeat(2_000));
    response.end();
  });
  const session = await open(server);
  expect(await session.request({ path: "/" })).toEqual({
    missed: "connection",
    code: "UND_ERR_HEADERS_OVERFLOW",
  });
});

it("misses an answer of a port where nothing listens, or nothing that speaks TLS", async () => {
  const plain: Server = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const { port } = plain.address() as AddressInfo;
  const session = await open({ port });
  expect(await session.request({ path: "/" })).toMatchObject({
    missed: "connection",
    code: expect.stringMatching(/^ERR_SSL|EPROTO/),
  });
  expect(session.tls).toBeNull();
  plain.closeAllConnections();
  await new Promise((resolve) => plain.close(resolve));
  const closed = await open({ port });
  expect(await closed.request({ path: "/" })).toEqual({ missed: "connection", code: "ECONNREFUSED" });
});

it("leaves no connection open", async () => {
  const server = await host((_request, response) => response.end());
  const session = await open(server);
  await session.request({ path: "/" });
  expect(server.connections.open).toBe(1);
  await session.close();
  await until(() => Promise.resolve(server.connections.open === 0));
});
