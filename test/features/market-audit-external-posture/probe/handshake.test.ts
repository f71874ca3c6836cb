import type { TlsOptions } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { ProbeSession } from "../../../../src/features/market-audit-external-posture/probe/probe.ts";
import { startTestWorld, type TestWorld } from "../../../support/probe-world.ts";
import { type Certificate, startTlsHost } from "../../../support/tls-host.ts";

const HOST = "www.example.com";
const OLD: TlsOptions = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" };

let world: TestWorld;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  world = await startTestWorld({ [HOST]: ["127.0.0.1"] });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(() => world.close());

/** A session that has made one request to a host with this certificate. */
async function sessionWith(certificate: Partial<Certificate>, tls: TlsOptions = {}): Promise<ProbeSession> {
  const host = await startTlsHost(
    { name: HOST, authority: world.authority, ...certificate },
    (_request, response) => response.end(),
    tls,
  );
  const session = await world.prober(host.port).open(HOST, new AbortController().signal);
  opened.push(session, host);
  expect(await session.request({ path: "/" })).toMatchObject({ status: 200 });
  return session;
}

it("sees a good certificate as one", async () => {
  const session = await sessionWith({ days: 60 });
  expect(session.tls).toMatchObject({ version: "TLSv1.3", chainError: null, nameMatches: true });
  const until = session.tls?.validity?.until.getTime() ?? 0;
  expect(Math.round((until - Date.now()) / 86_400_000)).toBe(60);
});

it.each([
  [
    "one that is signed by itself",
    { authority: undefined },
    { chainError: "DEPTH_ZERO_SELF_SIGNED_CERT", nameMatches: true },
  ],
  ["an expired one", { days: -2 }, { chainError: "CERT_HAS_EXPIRED", nameMatches: true }],
  ["one for another host", { name: "other.example.com" }, { chainError: null, nameMatches: false }],
  ["one for a host below", { name: "a.www.example.com" }, { chainError: null, nameMatches: false }],
  ["one for all hosts of the zone", { name: "*.example.com" }, { chainError: null, nameMatches: true }],
] as const)("reports %s, and reads on", async (_what, certificate, seen) => {
  const session = await sessionWith(certificate);
  expect(session.tls).toMatchObject(seen);
});

it("reports a chain whose root is not trusted", async () => {
  const other = await startTestWorld({});
  const session = await sessionWith({ authority: other.authority });
  expect(session.tls?.chainError).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  await other.close();
});

it.each(["TLSv1", "TLSv1.1", "TLSv1.2"] as const)(
  "reads a host that speaks %s and nothing newer",
  async (version) => {
    const session = await sessionWith({}, { ...OLD, minVersion: version, maxVersion: version });
    expect(session.tls?.version).toBe(version);
    expect(await session.speaksOldTls()).toBe(version !== "TLSv1.2");
  },
);

it("names the host in the handshake", async () => {
  const names: string[] = [];
  await sessionWith(
    {},
    {
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
  );
  expect(names).toEqual([HOST]);
});

it("finds out whether a host of today still takes TLS 1.1", async () => {
  expect(await (await sessionWith({}, OLD)).speaksOldTls()).toBe(true);
  expect(await (await sessionWith({})).speaksOldTls()).toBe(false);
});
