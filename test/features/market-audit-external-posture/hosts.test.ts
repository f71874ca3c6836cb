import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ProbeWorld } from "../../../src/features/market-audit-external-posture/probe/prober.ts";
import handler from "../../../src/features/market-audit-external-posture/handler.ts";
import posture from "../../../src/features/market-audit-external-posture/index.ts";
import { handlerContext } from "../../support/handler-context.ts";
import { CONTACT, startTestWorld, type TestWorld } from "../../support/probe-world.ts";
import { type Certificate, startTlsHost, type TlsHost } from "../../support/tls-host.ts";
import { until } from "../../support/until.ts";
import { EXPOSED, SECRET } from "./exposed.ts";
import { goodHost, type Site, siteOf } from "./sites.ts";

const HOST = "www.example.com";

let world: TestWorld;
const opened: TlsHost[] = [];
beforeAll(async () => {
  world = await startTestWorld({ [HOST]: ["127.0.0.1"], "other.example.com": ["127.0.0.1"] });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});
afterAll(() => world.close());

type Report = z.output<typeof posture.output>;
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function start(answer: Answer | Site, certificate: Partial<Certificate> = {}): Promise<TlsHost> {
  const host = await startTlsHost(
    { name: HOST, authority: world.authority, ...certificate },
    typeof answer === "function" ? answer : siteOf(answer),
  );
  opened.push(host);
  return host;
}

async function audit(host: { readonly port: number }, options: ProbeWorld = {}): Promise<Report> {
  const context = handlerContext({
    features: {
      consents: { verdict: () => Promise.resolve("valid") },
      prober: world.prober(host.port, options),
    },
  });
  return posture.output.parse(await handler({ consent_id: "cns_1", asset: HOST }, context));
}

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write("<"), 20);
  response.on("close", () => clearInterval(timer));
}

const statuses = (checks: Report["headers"]): Record<string, string> =>
  Object.fromEntries(checks.map(({ id, status }) => [id, status]));
const withStatus = (checks: Report["headers"], wanted: string): string[] =>
  checks.filter(({ status }) => status === wanted).map(({ id }) => id);

describe("a good host", () => {
  it("gets A+, and nothing to do", async () => {
    const report = await audit(await start(goodHost));
    expect(report).toMatchObject({ asset: HOST, grade: "A+", score: 140 });
    expect(Math.abs(Date.parse(report.observed_at) - Date.now())).toBeLessThan(600_000);
    expect(withStatus(report.headers, "not_observed")).toEqual(["redirection"]);
    for (const checks of [report.headers, report.tls, report.banners, report.exposed_paths]) {
      expect([...withStatus(checks, "fail"), ...withStatus(checks, "warn")]).toEqual([]);
    }
    expect(withStatus(report.exposed_paths, "pass")).toHaveLength(report.exposed_paths.length);
    expect(report.not_checked.join("\n")).toMatch(/port 80/);
    expect(report.not_checked.join("\n")).not.toMatch(/not answered|not followed/);
  });

  it("is asked little and politely", async () => {
    const host = await start(goodHost);
    await audit(host);
    expect(host.asked.length).toBeLessThanOrEqual(24);
    expect(host.asked[0]?.path).toBe("/robots.txt");
    for (const { method, headers } of host.asked) {
      expect(method).toBe("GET");
      expect(headers["user-agent"]).toBe(`Meshforge-Posture-Probe/1.0 (+${CONTACT})`);
      expect(headers.cookie).toBeUndefined();
      expect(headers.authorization).toBeUndefined();
    }
    await until(() => Promise.resolve(host.connections.open === 0));
  });
});

describe("a bad host", () => {
  const badHost: Site = {
    headers: {
      server: "Apache/2.4.41 (Ubuntu)",
      "x-powered-by": "PHP/7.4.3",
      "set-cookie": `PHPSESSID=${SECRET}`,
      "content-type": "text/html",
    },
    reflectsOrigin: true,
    paths: {
      "/": '<meta name=generator content="WordPress 5.1"><script src="http://cdn.example.net/a.js"></script>',
      ...Object.fromEntries(Object.entries(EXPOSED).map(([path, [body = ""]]) => [path, body])),
    },
    notFound: "<address>Apache/2.4.41 (Ubuntu) Server</address>",
  };

  it("gets F, with every fault named", async () => {
    const report = await audit(await start(badHost, { authority: undefined }));
    expect(report).toMatchObject({ grade: "F", score: 0 });
    expect(withStatus(report.headers, "pass")).toEqual(["referrer-policy", "cross-origin-resource-policy"]);
    expect(statuses(report.tls)).toMatchObject({ "certificate-chain": "fail", "tls-version": "pass" });
    expect(withStatus(report.banners, "warn")).toEqual([
      "server",
      "x-powered-by",
      "generator-meta",
      "error-page",
    ]);
    expect(withStatus(report.exposed_paths, "fail").toSorted()).toEqual(Object.keys(EXPOSED).toSorted());
  });

  it("reads none of its secrets in the report", async () => {
    expect(JSON.stringify(await audit(await start(badHost)))).not.toContain(SECRET);
  });
});

describe("a host that answers every path", () => {
  it("with a page exposes nothing", async () => {
    const report = await audit(
      await start((_request, response) => response.end("<html>Welcome to KEY=VALUE</html>")),
    );
    expect(withStatus(report.exposed_paths, "pass")).toHaveLength(report.exposed_paths.length);
  });

  it("with what one of them would hold is not said to expose it", async () => {
    const report = await audit(await start((_request, response) => response.end("ref: refs/heads/main\n")));
    expect(withStatus(report.exposed_paths, "fail")).toEqual([]);
    expect(statuses(report.exposed_paths)["/.git/HEAD"]).toBe("not_observed");
  });
});

describe("a redirect", () => {
  it("on the asset is followed, and the cookies on the way count", async () => {
    const host = await start({
      ...goodHost,
      redirects: { "/": "/home?a=b", "/home?a=b": `https://${HOST}/start` },
      cookies: { "/home?a=b": "session=1; Secure" },
      paths: { "/start": "<p>here" },
    });
    // The port of the tests stands in no address that a host of the Internet would give.
    const report = await audit(host);
    expect(host.asked.map(({ path }) => path).slice(0, 4)).toEqual([
      "/robots.txt",
      "/",
      "/home?a=b",
      "/start",
    ]);
    expect(statuses(report.headers).cookies).toBe("fail");
    expect(report.grade).toBe("B");
  });

  it.each([
    ["a private address", "http://169.254.169.254/latest/meta-data/"],
    ["an address in decimal", "https://2130706433/"],
    ["another host", "https://other.example.com/"],
    ["another port", `https://${HOST}:8443/`],
    ["plain http", `http://${HOST}/`],
    ["another scheme", "gopher://www.example.com/"],
    ["credentials", `https://user:${SECRET}@${HOST}/`],
    ["a host without a scheme", "//other.example.com/"],
    ["a script", "javascript:alert(1)"],
    ["nothing that can be read", "https://[/"],
  ])("to %s is not followed, and there is no grade", async (_what, location) => {
    const host = await start({ ...goodHost, redirects: { "/": location } });
    const report = await audit(host);
    expect(host.asked.filter(({ path }) => path === "/")).toHaveLength(2);
    expect(report).toMatchObject({ grade: null, score: null });
    expect(statuses(report.headers)).toMatchObject({
      "content-security-policy": "not_observed",
      "x-frame-options": "not_observed",
      "strict-transport-security": "pass",
    });
    expect(report.not_checked.join("\n")).toMatch(/redirect to .+, which was not followed/);
    expect(JSON.stringify(report)).not.toContain(SECRET);
    expect(JSON.stringify(report)).not.toContain("meta-data");
  });

  it("never asks the host that it leads to", async () => {
    const inside = await start(goodHost);
    const host = await start({ ...goodHost, redirects: { "/": `https://127.0.0.1:${inside.port}/` } });
    await audit(host);
    expect(inside.connections.made).toBe(0);
  });

  it("in a circle is followed three times", async () => {
    const host = await start({ ...goodHost, redirects: { "/": "/a", "/a": "/" } });
    const report = await audit(host);
    expect(report.grade).toBeNull();
    // The most that a run asks for is within what it may.
    expect(report.not_checked.join("\n")).not.toContain("number of requests");
    expect(host.asked.map(({ path }) => path).slice(0, 6)).toEqual([
      "/robots.txt",
      "/",
      "/a",
      "/",
      "/a",
      "/",
    ]);
  });
});

describe("a host with a certificate that browsers refuse", () => {
  it.each([
    ["is expired", { days: -2 }, "certificate-expiry"],
    ["is for another host", { name: "other.example.com" }, "certificate-name"],
    ["is signed by itself", { authority: undefined }, "certificate-chain"],
  ] as const)("because it %s is reported on all the same", async (_what, certificate, id) => {
    const report = await audit(await start(goodHost, certificate));
    expect(withStatus(report.tls, "fail")).toEqual([id]);
    expect(statuses(report.headers)["strict-transport-security"]).toBe("fail");
    expect(report.grade).toBe("B+");
  });

  it("soon is warned of", async () => {
    const report = await audit(await start(goodHost, { days: 12 }));
    expect(withStatus(report.tls, "warn")).toEqual(["certificate-expiry"]);
    expect(report.grade).toBe("A+");
  });
});

describe("a host that makes trouble", () => {
  it("by an endless page is graded by its beginning", async () => {
    const host = await start((request, response) => {
      const more = (): void => {
        while (response.write("<p>more ".repeat(5_000)));
        response.once("drain", more);
      };
      if (request.url === "/") more();
      else response.writeHead(404).end();
    });
    const report = await audit(host);
    expect(report.grade).toBe("D");
    expect(report.not_checked.join("\n")).toContain("the rest of the page");
  });

  it("by a trickle is graded by what came in time", async () => {
    const host = await start((request, response) => {
      if (request.url === "/") trickle(response);
      else response.writeHead(404).end();
    });
    const report = await audit(host, { limits: { requestMs: 200 } });
    expect(report.grade).toBe("D");
    expect(report.not_checked.join("\n")).toContain("the rest of the page");
  });

  it("by silence at / is reported on as far as it was seen, without a grade", async () => {
    const host = await start((request, response) => {
      if (request.url !== "/") response.writeHead(404).end();
    });
    const report = await audit(host, { limits: { requestMs: 150 } });
    expect(report).toMatchObject({ grade: null, score: null });
    expect(withStatus(report.headers, "not_observed")).toHaveLength(10);
    expect(withStatus(report.tls, "pass")).toHaveLength(5);
    expect(withStatus(report.exposed_paths, "pass")).toHaveLength(report.exposed_paths.length);
    expect(report.not_checked.join("\n")).toContain("/ was not answered, or not in time");
  });

  it("by headers without end is reported on without them", async () => {
    const host = await start((_request, response) => {
      for (let n = 0; n < 100; n++) response.setHeader(`x-${n}`, "a".repeat(1_000));
      response.end();
    });
    const report = await audit(host);
    expect(report.grade).toBeNull();
    expect(withStatus(report.tls, "pass")).toHaveLength(5);
  });

  it("by slowness is told which paths the time did not allow", async () => {
    const host = await start((request, response) => {
      response.statusCode = request.url === "/" ? 200 : 404;
      setTimeout(() => response.end(), request.url?.startsWith("/.") === true ? 2_000 : 0);
    });
    const report = await audit(host, { limits: { totalMs: 4_000, connections: 1 } });
    expect(report.grade).toBe("D");
    const missed = withStatus(report.exposed_paths, "not_observed");
    expect(missed).toContain("/debug/pprof/");
    const said = report.not_checked.join("\n");
    for (const path of missed) expect(said).toContain(path);
    expect(said).toContain("time or the number of requests");
  });

  it("by binding its name to an inside address is looked up once, and audited where it was checked", async () => {
    const host = await start({ ...goodHost, headers: { ...goodHost.headers, connection: "close" } });
    let questions = 0;
    // The first two questions are for its IPv4 and its IPv6 addresses.
    const rebinding = await startTestWorld({ [HOST]: () => [++questions > 2 ? "10.0.0.1" : "127.0.0.1"] });
    const report = await audit(host, { resolver: rebinding.resolver });
    expect(report.grade).toBe("A+");
    expect(host.connections.made).toBeGreaterThan(20);
    expect(questions).toBe(2);
    await rebinding.close();
  });

  it("by hanging up is reported on as far as it was seen", async () => {
    const host = await start((request, response) => {
      if (request.url === "/") response.end("<p>");
      else response.destroy();
    });
    const report = await audit(host);
    expect(report.grade).toBe("D");
    expect(withStatus(report.exposed_paths, "not_observed")).toHaveLength(report.exposed_paths.length);
  });

  it("by an error page is graded by it, and told so", async () => {
    const report = await audit(await start((_request, response) => response.writeHead(503).end("<p>Sorry")));
    expect(report.grade).toBe("D");
    expect(report.not_checked.join("\n")).toContain("/ answers 503");
  });
});

describe("a host that is not looked at", () => {
  it("because its robots.txt says so was asked for that alone", async () => {
    const robots = "User-agent: Meshforge-Posture-Probe\nDisallow: /\n";
    const host = await start({ ...goodHost, paths: { "/robots.txt": robots } });
    await expect(audit(host)).rejects.toMatchObject({ name: "InputFault", code: "host_refused" });
    expect(host.asked.map(({ path }) => path)).toEqual(["/robots.txt"]);
  });

  it("because it is not at a public address is asked for nothing", async () => {
    const host = await start(goodHost);
    await expect(audit(host, { allowed: () => false })).rejects.toMatchObject({ code: "host_refused" });
    expect(host.connections.made).toBe(0);
  });

  it("because nothing listens there is unreachable", async () => {
    const host = await start(goodHost);
    await host.close();
    opened.pop();
    await expect(audit(host)).rejects.toMatchObject({ name: "InputFault", code: "host_unreachable" });
  });
});
