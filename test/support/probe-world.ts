import { Resolver } from "node:dns/promises";
import {
  createProber,
  type ProbeWorld,
} from "../../src/features/market-audit-external-posture/probe/prober.ts";
import type { Prober } from "../../src/features/market-audit-external-posture/probe/probe.ts";
import { type Addresses, startNameServer } from "./name-server.ts";
import { type Authority, newAuthority } from "./tls-host.ts";

/** A small Internet on the loopback: names, an authority that is trusted, and probers that take it for public. */
export type TestWorld = {
  readonly resolver: Resolver;
  readonly authority: Authority;
  /** A prober for the host that listens on this port. */
  prober(port: number, world?: ProbeWorld): Prober;
  close(): Promise<void>;
};

export const CONTACT = "https://mesh.example/posture-probe";

/** Starts a world in which these names have these addresses. */
export async function startTestWorld(names: Readonly<Record<string, Addresses>>): Promise<TestWorld> {
  const nameServer = await startNameServer(names);
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([nameServer.address]);
  const authority = await newAuthority();
  return {
    resolver,
    authority,
    prober: (port, { limits, ...world } = {}) =>
      createProber(CONTACT, {
        resolver,
        allowed: (address) => address === "127.0.0.1",
        port,
        ca: authority.cert,
        limits: { requestMs: 60_000, totalMs: 120_000, ...limits },
        ...world,
      }),
    close: () => nameServer.close(),
  };
}
