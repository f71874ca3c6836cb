import { describe, expect, it } from "vitest";
import { thought } from "../../../src/features/agent-brain/thought.ts";
import thinkOffline from "../../../src/features/agent-brain/offline.ts";

const think = (question: string, memories: readonly string[] = [], tier: "small" | "large" = "small") =>
  thought.parse(
    thinkOffline({
      tier,
      schema: {},
      data: {
        question,
        memories: memories.map((content, nth) => ({ ref: `m${nth + 1}`, content, created: "" })),
      },
    }),
  );

describe("offline thinking", () => {
  it.each([
    ["What is 17 * 23?", "17 * 23 = 391"],
    ["Work out 15% of 80, please.", "15% of 80 = 12"],
    ["What does (12 + 8) * 3.5 come to?", "(12 + 8) * 3.5 = 70"],
    ["How much is 10 / 3?", "10 / 3 ≈ 3.3333333333"],
  ])("computes the arithmetic in %j", (question, answer) => {
    expect(think(question)).toMatchObject({ answer, confidence: 0.98, used_memories: [], learned: [] });
  });

  it("answers from the memory that says it, and names that memory", () => {
    const memories = ["Bob works at Initech.", "Tea is at five. Ada works at Acme."];
    expect(think("Where does Ada work?", memories)).toMatchObject({
      answer: "From memory: “Ada works at Acme.”",
      reasoning: expect.stringContaining("Memory m2 shares ada, work with the question."),
      confidence: 0.85,
      used_memories: ["m2"],
    });
  });

  it.each([
    ["What is 17% of 240 and where does Ada work?", "From memory: “Ada works at Acme.”", 0.98],
    ["What is 17% of 240, and which colour is the harbour?", "I work offline", 0.1],
  ])("answers each half of %j", (question, second, confidence) => {
    const thought = think(question, ["Ada works at Acme."]);
    expect(thought.answer).toMatch(/^17% of 240 = 40.8\n/);
    expect(thought.answer).toContain(second);
    expect(thought.confidence).toBe(confidence);
  });

  it("quotes more memories on the large tier", () => {
    const memories = ["Ada works at Acme.", "Ada works on Sundays, too.", "The sky is blue."];
    expect(think("Where does Ada work?", memories, "small").used_memories).toEqual(["m1"]);
    expect(think("Where does Ada work?", memories, "large").used_memories).toEqual(["m1", "m2"]);
  });

  it("keeps what the caller states, and does not answer it from memory", () => {
    expect(think("Remember that the harbour opens at 6:30.", ["The harbour opens at 5."])).toMatchObject({
      answer: "Noted: The harbour opens at 6:30.",
      used_memories: [],
      learned: ["The harbour opens at 6:30."],
    });
  });

  it("keeps at most three facts", () => {
    expect(think("I like tea. I like milk. I like rum. I like gin.").learned).toHaveLength(3);
  });

  it("says that it works offline and what it looked for where it knows nothing", () => {
    const { answer, reasoning, confidence } = think("What did my neighbour have for breakfast?");
    expect(answer).toContain("offline, without a language model");
    expect(answer).toContain("neighbour, breakfast");
    expect(reasoning).toContain("0 memories were looked at");
    expect(confidence).toBe(0.1);
  });

  it("shows the nearest memory where none settles the question", () => {
    const memories = ["The capital of the club is 900 euro."];
    const answer = think("What is the capital of France in autumn?", memories);
    expect(answer).toMatchObject({ confidence: 0.25, used_memories: ["m1"] });
    expect(answer.answer).toContain("900 euro");
  });

  it("leaves a question open that comes with a fact, and says so", () => {
    const { answer, confidence, learned } = think("I live in Oslo. Where should I spend the summer?");
    expect(learned).toEqual(["I live in Oslo."]);
    expect(answer).toMatch(/^Noted: I live in Oslo\.\n.*offline/s);
    expect(confidence).toBe(0.1);
  });
});
