import { describe, expect, it } from "vitest";
import handler from "../../../src/features/market-audit-external-posture/handler.ts";
import posture from "../../../src/features/market-audit-external-posture/index.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { testedCapability } from "../../support/capability.ts";
import { passes, type Replay } from "../../../src/core/catalog/vectors.ts";
import type {
  ConsentQuestion,
  ConsentVerdict,
} from "../../../src/features/market-audit-external-posture/consent/consents.ts";
import { InputFault } from "../../../src/core/errors.ts";
import { handlerContext } from "../../support/handler-context.ts";

const { vectors } = await testedCapability("market-audit-external-posture");

/** Runs the capability where the consent is this, and gives what it asked besides how it ended. */
async function replay(
  body: Readonly<Record<string, unknown>>,
  verdict: ConsentVerdict,
): Promise<{ ended: Replay; asked: ConsentQuestion[]; opened: string[] }> {
  const asked: ConsentQuestion[] = [];
  const opened: string[] = [];
  const context = handlerContext({
    accountId: "acc_1",
    features: {
      consents: {
        verdict: (question) => {
          asked.push(question);
          return Promise.resolve(verdict);
        },
      },
      prober: {
        open: (host) => {
          opened.push(host);
          return Promise.reject(new InputFault("host_unreachable", "This test has no hosts."));
        },
      },
    },
  });
  try {
    const output = await handler(posture.input.parse(parseInput(posture, body)), context);
    return { ended: { output }, asked, opened };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { ended: { error: error.code }, asked, opened };
  }
}

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    // Its consent is no account's: a database says of it that one is required.
    const { ended, opened } = await replay(vector.input, "required");
    expect(passes(vector, ended)).toBe(true);
    expect(opened).toEqual([]);
  });

  it.each([
    ["required", "consent_required"],
    ["expired", "consent_expired"],
    ["mismatch", "consent_mismatch"],
  ] as const)("looks at nothing while the consent is %s", async (verdict, code) => {
    const { ended, asked, opened } = await replay({ consent_id: "cns_1", asset: "WWW.example.com" }, verdict);
    expect(ended).toEqual({ error: code });
    expect(asked).toEqual([{ consentId: "cns_1", accountId: "acc_1", asset: "www.example.com" }]);
    expect(opened).toEqual([]);
  });

  it("looks at the host once the consent is valid", async () => {
    const { ended, opened } = await replay({ consent_id: "cns_1", asset: "WWW.example.com" }, "valid");
    expect(ended).toEqual({ error: "host_unreachable" });
    expect(opened).toEqual(["www.example.com"]);
  });

  it("reads the consent from consentId, and the asset from domain and host", async () => {
    const { asked } = await replay(
      { consentId: "cns_2", domain: "a.example.com", host: "b.example.com" },
      "required",
    );
    expect(asked).toMatchObject([{ consentId: "cns_2", asset: "a.example.com" }]);
    expect((await replay({ consentId: "cns_2", host: "b.example.com" }, "required")).asked).toMatchObject([
      { asset: "b.example.com" },
    ]);
  });

  it.each([
    {},
    { consent_id: "cns_1" },
    { asset: "example.com" },
    { consent_id: "", asset: "" },
    { consent_id: 5, asset: "example.com" },
    { consent_id: "cns_1", asset: ["example.com"] },
    { consent_id: "c".repeat(81), asset: "example.com" },
    { consent_id: "cns_1", asset: "a".repeat(256) },
  ])("refuses %j uncharged", (body) => {
    expect(() => parseInput(posture, body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});
