import { expect, it } from "vitest";
import { isTrusted, tlsChecks } from "../../../src/features/market-audit-external-posture/tls.ts";
import type { TlsObservation } from "../../../src/features/market-audit-external-posture/probe/probe.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const GOOD: TlsObservation = {
  version: "TLSv1.3",
  chainError: null,
  nameMatches: true,
  validity: { from: new Date("2026-05-01T00:00:00Z"), until: new Date("2026-07-30T00:00:00Z") },
};

const statuses = (tls: Partial<TlsObservation>, old: boolean | null = false): Record<string, string> =>
  Object.fromEntries(tlsChecks({ ...GOOD, ...tls }, old, NOW).map(({ id, status }) => [id, status]));
const ALL_PASSED = {
  "tls-version": "pass",
  "tls-old-versions": "pass",
  "certificate-chain": "pass",
  "certificate-name": "pass",
  "certificate-expiry": "pass",
};
const until = (text: string): TlsObservation["validity"] => ({ from: new Date(0), until: new Date(text) });

it("passes a good handshake", () => {
  expect(statuses({})).toEqual(ALL_PASSED);
});

it.each([
  [{ version: "TLSv1.2" }, {}],
  [{ version: "TLSv1.1" }, { "tls-version": "fail" }],
  [{ version: null }, { "tls-version": "not_observed" }],
  [{ nameMatches: false }, { "certificate-name": "fail" }],
  [{ chainError: "DEPTH_ZERO_SELF_SIGNED_CERT" }, { "certificate-chain": "fail" }],
  [{ chainError: "SOMETHING_NEW" }, { "certificate-chain": "fail" }],
  [{ chainError: "CERT_HAS_EXPIRED" }, { "certificate-chain": "not_observed" }],
  [{ validity: until("2026-07-01T12:00:00Z") }, {}],
  [{ validity: until("2026-07-01T11:59:59Z") }, { "certificate-expiry": "warn" }],
  [{ validity: until("2026-06-01T12:00:00Z") }, { "certificate-expiry": "fail" }],
  [
    { validity: { from: new Date("2026-06-02T00:00:00Z"), until: new Date("2027-01-01T00:00:00Z") } },
    { "certificate-expiry": "fail" },
  ],
  [
    { validity: null, nameMatches: false },
    { "certificate-expiry": "not_observed", "certificate-name": "not_observed" },
  ],
] as const)("judges %j", (tls, different) => {
  expect(statuses(tls)).toEqual({ ...ALL_PASSED, ...different });
});

it("says whether older versions are accepted, where it knows", () => {
  expect(statuses({}, true)["tls-old-versions"]).toBe("fail");
  expect(statuses({}, null)["tls-old-versions"]).toBe("not_observed");
});

it("names the day on which the certificate expires, and how many are left", () => {
  const { detail } = tlsChecks({ ...GOOD, validity: until("2026-06-02T13:00:00Z") }, false, NOW)[4] ?? {};
  expect(detail).toBe("The certificate expires on 2026-06-02, in 1 day.");
});

it("trusts a certificate as browsers do: its chain and its name", () => {
  expect(isTrusted(GOOD)).toBe(true);
  expect(isTrusted({ ...GOOD, nameMatches: false })).toBe(false);
  expect(isTrusted({ ...GOOD, chainError: "CERT_HAS_EXPIRED" })).toBe(false);
});
