import { describe, expect, it } from "vitest";
import handler from "../../../src/features/market-audit-external-posture/handler.ts";
import { parseTargetHost } from "../../../src/features/market-audit-external-posture/probe/target-host.ts";
import { handlerContext } from "../../support/handler-context.ts";
import { REFUSED_HOSTS } from "./refused-hosts.ts";

/** Neither a consent is read nor a name looked up: both services of this context throw when they are used. */
const context = handlerContext();
const forms = Object.values(REFUSED_HOSTS).flat();

it("knows more than 200 forms of hosts that are refused, each once", () => {
  expect(forms.length).toBeGreaterThanOrEqual(200);
  expect(new Set(forms).size).toBe(forms.length);
});

describe("refuses, before anything else, the host", () => {
  for (const [kind, hosts] of Object.entries(REFUSED_HOSTS)) {
    it.each(hosts)(`${kind}: %j`, async (asset) => {
      await expect(handler({ consent_id: "cns_1", asset }, context)).rejects.toMatchObject({
        name: "InputFault",
        code: "host_refused",
      });
    });
  }
});

it.each([
  "example.com",
  "www.example.com",
  "WWW.Example.COM",
  "xn--bcher-kva.example.com",
  "a_b.example.com",
  "a.b.c.d.e.example.co.uk",
  "1.example.com",
  "127.0.0.1.nip.io",
  "localhost.example.com",
  "internal.example.com",
  "test.example.com",
  "0x7f.example.com",
  `${"a".repeat(63)}.example.com`,
])("takes %s", (asset) => {
  expect(parseTargetHost(asset)).toEqual({ host: asset.toLowerCase() });
});
