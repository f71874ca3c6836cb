import { expect, it } from "vitest";
import { type CallRequest, settlementOf } from "../../../src/core/calls/call-request.ts";
import { bodyOf } from "../../../src/core/calls/prepare.ts";
import type { Capability } from "../../../src/core/catalog/capability.ts";
import { mesh } from "../../../src/core/money.ts";

const REQUEST = {
  caller: { accountId: "acc_a", keyId: "key_a" },
  surface: "marketplace",
  name: "one",
  body: bodyOf({}),
  waitMs: 0,
  idempotencyKey: "k",
  maxPrice: null,
} as const satisfies CallRequest;
const capability = (slug: string) => ({ slug, version: "1", pool: "inline" }) as unknown as Capability;
const BODY = "ab".repeat(32);

const hashOf = (more: Partial<CallRequest> = {}, slug = "one", body: string | null = BODY) =>
  settlementOf({ ...REQUEST, ...more }, capability(slug), mesh(1), body).request_sha256;

it("tells a repeated request from another by its surface, its capability and its body, and by nothing else", () => {
  const first = hashOf();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  const others = [hashOf({ surface: "tool-api" }), hashOf({}, "two"), hashOf({}, "one", "cd".repeat(32))];
  expect(new Set([first, ...others]).size).toBe(4);
  for (const more of [{ waitMs: 5 }, { maxPrice: 3 }, { webhook: "https://a.example/" }, { requestId: "r" }])
    expect(hashOf(more)).toBe(first);
});

it("needs no hash of a request that names no key", () => {
  expect(hashOf({}, "one", null)).toBeNull();
});
