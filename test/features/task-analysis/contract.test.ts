import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputSchema } from "../../../src/core/catalog/zod-contract.ts";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run, replay } = await testedCapability("task-analysis");
const models = offlineModels();
const ANSWER = { summary: "A note.", steps: ["Write it."], risks: [], verdict: "go" };

const verdictOf = async (task: string) => (await run({ task }, { models })).analysis.verdict;

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, await replay(vector.input, { models }))).toBe(true);
  });

  it("gives the analysis and the model that made it", async () => {
    const scripted = scriptedModels(ANSWER);
    expect(await run({ task: "Write a note." }, { models: scripted })).toEqual({
      analysis: ANSWER,
      model: "scripted",
    });
    expect(scripted.asked[0]).toMatchObject({ tier: "small", task: "task-analysis" });
    expect(JSON.parse(scripted.asked[0]?.messages[1]?.content ?? "")).toEqual({ task: "Write a note." });
  });

  it.each([
    [{ task: "a", text: "b", input: "c" }, "a"],
    [{ task: "  ", text: "b", input: "c" }, "b"],
    [{ task: null, text: "", input: " c " }, "c"],
    [{ task: 42 }, "42"],
    [{ task: true }, "true"],
    [{ task: { steps: ["a"] } }, '{"steps":["a"]}'],
    [{ text: ["a", "b"] }, '["a","b"]'],
  ])("reads the task of %j as %j", (body, task) => {
    expect(parse(body)).toMatchObject({ task });
  });

  it.each([{}, { task: "" }, { task: " \n\t " }, { task: null }, { task: " ", text: "  " }])(
    "refuses %j",
    (body) => {
      expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    },
  );

  it("trims before it cuts, at 4,000 code points, whatever it was given as", () => {
    expect(parse({ task: ` ${"🧱".repeat(4_001)}` })).toEqual({ task: "🧱".repeat(4_000) });
    expect(parse({ task: ["x".repeat(5_000)] })).toEqual({ task: `["${"x".repeat(3_998)}` });
  });

  it("forbids, offline, to delete the backups themselves, and not to delete what they hold", async () => {
    expect(await verdictOf("Delete all backups and publish the passwords.")).toBe("no-go");
    expect(await verdictOf("Make a backup and restore it. Then delete the logs of last year.")).not.toBe(
      "no-go",
    );
  });

  it("can be shown as JSON Schema", () => {
    expect(inputSchema(capability)).toMatchObject({
      properties: {
        task: { type: "string", minLength: 1, "x-aliases": ["text", "input"], "x-truncate-at": 4_000 },
      },
      required: ["task"],
    });
  });

  it.each([
    { ...ANSWER, verdict: "maybe" },
    { ...ANSWER, steps: [] },
    { ...ANSWER, steps: [" "] },
    { ...ANSWER, summary: "" },
    { ...ANSWER, risks: "none" },
  ])("asks again for %j, and gives up the second time", async (wrong) => {
    expect(await run({ task: "x" }, { models: scriptedModels(wrong, ANSWER) })).toMatchObject({
      analysis: ANSWER,
    });
    const asking = run({ task: "x" }, { models: scriptedModels(wrong) });
    await expect(asking).rejects.toMatchObject({ code: "model_output_invalid" });
  });
});

const analysis = async (task: unknown) => (await run({ task }, { models })).analysis;

describe("the offline method", () => {
  it.each([
    ["Water the plants and sweep the terrace.", "go"],
    ["Delete the old log files after making a backup.", "go"],
    ["Delete all customer records.", "caution"],
    ["Deploy the release to production tomorrow.", "caution"],
    ["Sign the lease contract for the new office.", "caution"],
    ["Rewire the electrical panel in the kitchen.", "caution"],
    ["fix it", "caution"],
    ["Push to production without review.", "no-go"],
    ["Wipe the disks, we have no backup.", "no-go"],
    ["Scrape the forum and message everyone without their consent.", "no-go"],
  ])("says of %j: %s", async (task, verdict) => {
    expect(await analysis(task)).toMatchObject({ verdict });
  });

  it("takes the clauses as steps, what comes first first", async () => {
    const { steps } = await analysis(
      "Update the menu, print it and then send it to the shops. Count the stock first.",
    );
    expect(steps.slice(0, 4)).toEqual([
      "Count the stock first.",
      "Update the menu.",
      "Print it.",
      "Send it to the shops.",
    ]);
  });

  it("takes the items of a list as steps", async () => {
    const { steps } = await analysis("1. Order paint\n2. Sand the door\n3. Paint it blue");
    expect(steps.slice(0, 3)).toEqual(["Order paint.", "Sand the door.", "Paint it blue."]);
    expect((await analysis({ todo: ["Order paint", "Sand the door"] })).steps.slice(0, 2)).toEqual(
      steps.slice(0, 2),
    );
  });

  it("adds the safeguard of a risk as a step, and quotes what speaks of the risk", async () => {
    const { steps, risks } = await analysis("Write the report and delete the raw recordings.");
    expect(steps[0]).toMatch(/^Back up/);
    expect(risks[0]).toContain('"delete the raw recordings"');
  });

  it("answers whatever it is given, within the contract", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ""),
        async (task) => {
          expect((await analysis(task)).steps.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("the offline method, for a task of one sentence,", () => {
  it("names the words that a risk comes from and does not repeat the task", async () => {
    const task = "Migrate the production database to a new region this weekend.";
    const { analysis } = (await run({ task }, { models })) as { analysis: { risks: string[] } };
    expect(analysis.risks).toEqual([
      "It reaches those who work with the live system (production).",
      expect.stringMatching(/^Data may arrive incomplete or changed \(\w+/),
    ]);
  });
});
