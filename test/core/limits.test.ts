import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.ts";

const MIB = 1_048_576;
const REVOKED_WITHIN_MS = 5_000;
const SWEPT_WITHIN_MS = 2_000;

describe("the limits", () => {
  it("are the contract's, where the contract names them", () => {
    expect(LIMITS).toMatchObject({
      bodyBytes: MIB,
      jsonDepth: 64,
      idempotencyKeyChars: 255,
      maxWaitMs: 120_000,
      timeoutMs: 60_000,
      deadlineMs: 600_000,
      attempts: 3,
      pageRowsDefault: 20,
      handleChars: { min: 3, max: 40 },
      nameChars: 80,
    });
  });

  it("let a revoked key live no longer than 5 seconds", () => {
    expect(LIMITS.keyCacheMs).toBeLessThan(REVOKED_WITHIN_MS);
  });

  it("let a worker miss several signs of life before its calls are taken from it", () => {
    expect(LIMITS.renewMs * 3).toBeLessThan(LIMITS.leaseMs);
  });

  it("sweep often enough to find what is due within 2 seconds", () => {
    expect(LIMITS.sweepMs * 2).toBeLessThan(SWEPT_WITHIN_MS);
  });
});
