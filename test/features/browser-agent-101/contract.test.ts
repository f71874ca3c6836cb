import { describe, expect, it } from "vitest";
import offline from "../../../src/features/browser-agent-101/offline.ts";
import { TOPICS } from "../../../src/features/browser-agent-101/topics.ts";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run } = await testedCapability("browser-agent-101");
const models = offlineModels();
const QUESTION = { question: "How does an agent fill a form?" };

const lesson = (question: string) =>
  offline({ data: { question }, schema: {}, tier: "small" }) as {
    answer: string;
    steps: string[];
    pitfalls: string[];
  };

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, { output: await run(vector.input, { models }) })).toBe(true);
  });

  it("costs 2 MESH and needs a small model of the brain pool", () => {
    expect(capability).toMatchObject({ pool: "brain", model: "small", category: "education" });
    expect(capability.offers).toEqual([{ surface: "marketplace", price: { currency: "MESH", amount: 2 } }]);
  });

  it("reads the question from question, then topic, then scenario, then text", () => {
    const all = { question: " ", topic: "", scenario: "s", text: "t" };
    expect(parse(all)).toMatchObject({ question: "s" });
    expect(parse({ ...all, topic: "o" })).toMatchObject({ question: "o" });
    expect(parse({ ...all, question: " q " })).toMatchObject({ question: "q" });
    expect(parse({ text: "t" })).toMatchObject({ question: "t" });
  });

  it.each([{}, { question: "" }, { question: "  " }, { question: 5 }])("refuses %j", (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("refuses a question of more than 8,000 characters", () => {
    expect(() => parse({ question: "x".repeat(8_001) })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});

describe("whatever a model answers", () => {
  it("comes out as plain lists, without numbers of its own and without repetition", async () => {
    const answer = {
      answer: " Do it. ",
      steps: ["1. Open the page", "Step 2: Read it", "- Read it", "Read it"],
      pitfalls: ["* Slow"],
    };
    expect(await run(QUESTION, { models: scriptedModels(answer) })).toEqual({
      answer: "Do it.",
      steps: ["Open the page", "Read it"],
      pitfalls: ["Slow"],
      model: "scripted",
    });
  });

  it.each([
    { answer: "", steps: ["a"], pitfalls: ["b"] },
    { answer: "a", steps: [], pitfalls: ["b"] },
    { answer: "a", steps: ["a"], pitfalls: [] },
    { answer: "a", steps: ["1. "], pitfalls: ["b"] },
    { answer: "a", steps: "first, do this", pitfalls: ["b"] },
    { answer: "a", steps: [{ do: "this" }], pitfalls: ["b"] },
  ])("%j is no lesson", async (answer) => {
    await expect(run(QUESTION, { models: scriptedModels(answer) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });
});

describe("the offline lesson", () => {
  it("takes the sides of a question in its own order, each with its part of the question", () => {
    expect(
      lesson("How do I make a browser agent log in to github.com and download all invoices?").steps,
    ).toEqual([
      "Open github.com and check that the address bar still shows that site.",
      "“log in to github.com”: Make a browser profile for this agent and sign in there yourself, second factor included.",
      "Save the session's state encrypted and load it at the start of each run.",
      "Check that you are signed in by something that only a signed-in page shows; if not, stop and ask the owner.",
      "“download all invoices”: Start listening for the download, then trigger it.",
      "Save it under a name of your own in a folder for this run.",
      "Read off a fresh page whether this is reached: “log in to github.com and download all invoices”.",
    ]);
  });

  it("points to permission instead of tricks where a site keeps programs out", () => {
    expect(lesson("How can my agent get past a captcha?").answer).toContain(
      "permission, an official API or a person",
    );
  });

  it("checks no goal where the question has none", () => {
    expect(lesson("What is prompt injection?").steps.join(" ")).not.toContain("Read off a fresh page");
  });

  it("always says that pages are data", () => {
    expect(lesson("bananas").pitfalls.join(" ")).toContain("treat it as data");
  });

  it("knows every topic by each of its terms", () => {
    for (const topic of TOPICS) {
      for (const term of topic.terms) expect(lesson(term).answer, term).toContain(topic.idea);
    }
  });

  it("is another one for another question", () => {
    const questions = [
      "Fill a form",
      "Fill a form on a.com",
      "Buy a ticket",
      "Why do agents fail?",
      "bananas",
      "apples",
    ];
    expect(new Set(questions.map((question) => JSON.stringify(lesson(question)))).size).toBe(
      questions.length,
    );
  });
});
