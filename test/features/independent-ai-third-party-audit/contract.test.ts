import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FRAMEWORKS,
  frameworksFor,
} from "../../../src/features/independent-ai-third-party-audit/frameworks.ts";
import { SEVERITIES, VERDICTS } from "../../../src/features/independent-ai-third-party-audit/index.ts";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run } = await testedCapability("independent-ai-third-party-audit");
const models = offlineModels();
const SCOPE = { scope: "A chatbot", frameworks: ["GDPR", "House rules"] };

const finding = (over: Record<string, unknown> = {}) => ({
  framework: "GDPR",
  severity: "low",
  finding: "A gap.",
  recommendation: "Close it.",
  ...over,
});
const report = (over: Record<string, unknown> = {}) => ({
  findings: [finding()],
  verdict: "ready",
  limitations: ["Of my own."],
  ...over,
});

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, { output: await run(vector.input, { models }) })).toBe(true);
  });

  it("costs 8 MESH and needs a small model of the brain pool", () => {
    expect(capability).toMatchObject({ pool: "brain", model: "small", category: "audit" });
    expect(capability.offers).toEqual([{ surface: "marketplace", price: { currency: "MESH", amount: 8 } }]);
  });

  it.each([
    {},
    { scope: "" },
    { scope: "  " },
    { scope: 5 },
    { scope: "x", frameworks: "GDPR" },
    { scope: "x", frameworks: [5] },
    { scope: "x", frameworks: [""] },
    { scope: "x", constraints: ["y"] },
  ])("refuses %j", (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it.each([
    ["a scope of 20,001 characters", { scope: "x".repeat(20_001) }],
    ["21 frameworks", { scope: "x", frameworks: Array.from({ length: 21 }, (_, index) => `F${index}`) }],
    ["constraints of 8,001 characters", { scope: "x", constraints: "y".repeat(8_001) }],
  ])("refuses %s", (_name, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("gives the caller's frameworks back as they were named, each once", async () => {
    const output = await run(
      { scope: "x", frameworks: ["House rules", " gdpr ", "House rules"] },
      { models },
    );
    expect(output.frameworks).toEqual(["House rules", "gdpr"]);
  });
});

describe("frameworks that nobody named", () => {
  it.each([
    ["An AI system that ranks job applicants in Germany", ["EU AI Act", "GDPR"]],
    ["A telemedicine app for patients of clinics in Ohio", ["HIPAA"]],
    ["A checkout page that takes credit cards", ["PCI DSS"]],
    ["A hosted SaaS platform for B2B customers", ["SOC 2"]],
    [
      "A chatbot with retrieval over internal documents",
      ["OWASP LLM Top 10", "NIST AI RMF", "ISO/IEC 42001"],
    ],
    ["Information security of our data centre", ["ISO/IEC 27001"]],
    ["A résumé screener that scores candidates in New York", ["NYC Local Law 144"]],
    ["Risk management for our machine learning", ["ISO/IEC 23894"]],
    ["A lending model of a French bank", ["DORA", "EU AI Act"]],
    ["Profiles of Californian consumers", ["CCPA"]],
    ["Readiness for SOC2 and for ISO 27001", ["SOC 2", "ISO/IEC 27001"]],
  ])("are inferred from: %s", (scope, expected) => {
    expect(frameworksFor(scope, undefined)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ["A bakery's opening hours", ["NIST AI RMF", "ISO/IEC 42001"]],
    ["A hospital in Spain with patients", ["GDPR"]],
    ["A game of chess between two friends", ["NIST AI RMF", "ISO/IEC 42001"]],
  ])("are no others than these for: %s", (scope, expected) => {
    expect(frameworksFor(scope, [])).toEqual(expected);
  });

  it("are named in the audit's limitations as inferred", async () => {
    const named = await run({ scope: "x", frameworks: ["GDPR"] }, { models });
    const inferred = await run({ scope: "x" }, { models });
    expect(named.limitations.join(" ")).not.toContain("inferred");
    expect(inferred.limitations.join(" ")).toContain("inferred");
  });

  it("all have a name by which they are found", () => {
    for (const { name, alsoCalled } of FRAMEWORKS) expect(alsoCalled.test(name), name).toBe(true);
  });
});

describe("a hostile model", () => {
  const hostile = fc.record({
    findings: fc.array(
      fc.record(
        {
          id: fc.constantFrom("F-1", "x"),
          framework: fc.constantFrom("GDPR", "House rules", "gdpr", "SOC 2"),
          severity: fc.constantFrom(...SEVERITIES),
          finding: fc.constantFrom("A gap.", " "),
          recommendation: fc.constant("Close it."),
        },
        { requiredKeys: ["framework", "severity", "finding", "recommendation"] },
      ),
      { maxLength: 4 },
    ),
    verdict: fc.constantFrom(...VERDICTS),
    limitations: fc.array(fc.constantFrom("None.", "Everything was examined on site."), { maxLength: 2 }),
  });

  it("gets no finding through that is of another framework, no id of its own, and no verdict above its findings", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (answer) => {
        const wrong = answer.findings.some(
          ({ framework, finding: text }) => !SCOPE.frameworks.includes(framework) || text.trim() === "",
        );
        if (wrong) {
          await expect(run(SCOPE, { models: scriptedModels(answer) })).rejects.toMatchObject({
            code: "model_output_invalid",
          });
          return;
        }
        const output = await run(SCOPE, { models: scriptedModels(answer) });
        const ids = output.findings.map(({ id }: { id: string }) => id);
        expect(ids).toEqual(answer.findings.map((_, index) => `F-${index + 1}`));
        const severities = new Set(answer.findings.map(({ severity }) => severity));
        if (severities.has("critical")) expect(output.verdict).toBe("not_ready");
        else if (severities.has("high")) expect(output.verdict).not.toBe("ready");
        else expect(output.verdict).toBe(answer.verdict);
        expect(output.limitations.join(" ")).toMatch(
          /automated reading.*No documents.*nobody was interviewed/s,
        );
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    { verdict: "certified" },
    { findings: [finding({ severity: "extreme" })] },
    { findings: [finding({ recommendation: "" })] },
    { findings: "none" },
  ])("cannot answer with %j", async (over) => {
    await expect(run(SCOPE, { models: scriptedModels(report(over)) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });

  it("hears of its fault without a word of the caller's", async () => {
    const asked = scriptedModels(report({ findings: [finding({ framework: "SOC 2" })] }), report());
    await run({ scope: "INJECTED-SCOPE", frameworks: ["GDPR", "INJECTED"] }, { models: asked });
    const told = asked.asked[1]?.messages ?? [];
    expect(told.filter(({ content }) => content.includes("INJECTED"))).toEqual([told[1]]);
    expect(JSON.stringify(asked.asked[0]?.schema)).not.toContain("INJECTED");
  });
});

const audit = async (body: Record<string, unknown>) => await run(body, { models });
const about = ({ findings }: { findings: { finding: string }[] }, reference: string): string | undefined =>
  findings.find(({ finding: text }) => text.startsWith(`${reference}: `))?.finding;

describe("the offline audit", () => {
  it("finds what the scope does not say, what it denies, and not what it describes", async () => {
    const frameworks = ["EU AI Act"];
    expect(about(await audit({ scope: "A model.", frameworks }), "Art. 14")).toContain(
      "does not say who can review",
    );
    expect(about(await audit({ scope: "There is no human review.", frameworks }), "Art. 14")).toContain(
      "“There is no human review.”",
    );
    expect(
      about(await audit({ scope: "Every decision has human review.", frameworks }), "Art. 14"),
    ).toBeUndefined();
  });

  it("calls what a framework forbids critical, unless the scope says that it is not done", async () => {
    const frameworks = ["EU AI Act", "PCI DSS"];
    const does = await audit({ scope: "We do social scoring and store CVV codes.", frameworks });
    expect(does.findings.slice(0, 2)).toMatchObject([{ severity: "critical" }, { severity: "critical" }]);
    const doesNot = await audit({
      scope: "We never do social scoring and do not store CVV codes.",
      frameworks,
    });
    expect(doesNot.findings.filter(({ severity }: { severity: string }) => severity === "critical")).toEqual(
      [],
    );
  });

  it("finds nothing where everything that is asked for is described", async () => {
    const scope =
      "A hiring model ranks applicants. An auditor compares impact ratios between demographic groups. Applicants get notice.";
    expect(await audit({ scope, frameworks: ["NYC Local Law 144"] })).toMatchObject({
      findings: [],
      verdict: "ready",
    });
  });

  it("leaves out what the constraints leave out, and says so", async () => {
    const frameworks = ["ISO/IEC 27001"];
    const constraints = "Leave out encryption and access control.";
    const output = await audit({ scope: "A data centre.", frameworks, constraints });
    expect([about(output, "A.8.24"), about(output, "A.5.15")]).toEqual([undefined, undefined]);
    expect(output.limitations.join(" ")).toContain("constraints leave out");
  });

  it("holds a framework that it does not know to general controls, and says so", async () => {
    const output = await audit({ scope: "A model.", frameworks: ["House rules"] });
    expect(output.findings.length).toBeGreaterThan(0);
    expect(output.limitations.join(" ")).toContain("The text of House rules is not known here");
  });
});
