import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run, replay } = await testedCapability("personalize");
const models = offlineModels();
const BODY = { profile: { likes: ["tea"] }, content: ["Green tea", "Coffee", "Cups"], goal: "sell" };
const ANSWER = { selected: [1], headline: "Tea.", hook: "You like it.", avoid: [2] };

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, await replay(vector.input, { models }))).toBe(true);
  });

  it("is listed on both surfaces, at their prices", () => {
    expect(capability.offers).toEqual([
      { surface: "marketplace", price: { currency: "MESH", amount: 2 } },
      {
        surface: "tool-api",
        route: { method: "POST", path: "/v1/personalize" },
        price: { currency: "USD", amount: 2_000 },
      },
    ]);
  });

  it("lets the model choose by number, and gives the content letter for letter", async () => {
    const scripted = scriptedModels(ANSWER);
    expect(await run(BODY, { models: scripted })).toEqual({
      ...ANSWER,
      selected: ["Green tea"],
      avoid: ["Coffee"],
      model: "scripted",
    });
    expect(JSON.parse(scripted.asked[0]?.messages[1]?.content ?? "")).toEqual({
      profile: BODY.profile,
      goal: "sell",
      content: [
        { number: 1, text: "Green tea" },
        { number: 2, text: "Coffee" },
        { number: 3, text: "Cups" },
      ],
    });
  });

  it.each([
    [{}, "profile"],
    [{ ...BODY, profile: "tea" }, "profile"],
    [{ ...BODY, profile: ["tea"] }, "profile"],
    [{ ...BODY, profile: { note: "x".repeat(16_384) } }, "profile"],
    [{ ...BODY, content: [] }, "content"],
    [{ ...BODY, content: "tea" }, "content"],
    [{ ...BODY, content: ["", "  "] }, "content"],
    [{ ...BODY, content: [5] }, "content.0"],
    [{ ...BODY, content: ["x".repeat(2_001)] }, "content.0"],
    [{ ...BODY, content: Array.from({ length: 201 }, (_, n) => `${n}`) }, "content"],
    [{ ...BODY, goal: undefined }, "goal"],
    [{ ...BODY, goal: " " }, "goal"],
    [{ ...BODY, goal: "x".repeat(2_001) }, "goal"],
  ])("refuses a fault in %#, naming %s", (body, path) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: { issues: expect.arrayContaining([expect.objectContaining({ path })]) },
      }),
    );
  });

  it("takes the same piece twice for one, and passes over empty ones", async () => {
    const scripted = scriptedModels({ ...ANSWER, selected: [1, 2, 1], avoid: [] });
    const body = { ...BODY, content: ["a", "a", " ", "b"] };
    expect(await run(body, { models: scripted })).toMatchObject({ selected: ["a", "b"] });
  });

  it("selects nothing that is to be avoided", async () => {
    const scripted = scriptedModels({ ...ANSWER, selected: [2, 1, 3], avoid: [2, 2] });
    expect(await run(BODY, { models: scripted })).toMatchObject({
      selected: ["Green tea", "Cups"],
      avoid: ["Coffee"],
    });
  });

  it.each([
    { selected: [0] },
    { selected: [4] },
    { selected: [1.5] },
    { selected: ["Green tea, but better"] },
    { avoid: [-1] },
    { headline: "" },
    { hook: null },
  ])("asks again for an answer with %j, and gives up the second time", async (fault) => {
    const wrong = { ...ANSWER, ...fault };
    expect(await run(BODY, { models: scriptedModels(wrong, ANSWER) })).toMatchObject({
      selected: ["Green tea"],
    });
    await expect(run(BODY, { models: scriptedModels(wrong) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });

  it("gives members of the content alone, each once and in one list, whatever a model answers", async () => {
    const number = fc.integer({ min: -2, max: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 10 })
          .filter((all) => all.some((one) => one.trim() !== "")),
        fc.array(number, { maxLength: 12 }),
        fc.array(number, { maxLength: 12 }),
        async (content, chosen, avoided) => {
          const scripted = scriptedModels({ ...ANSWER, selected: chosen, avoid: avoided });
          const outcome = await run({ ...BODY, content }, { models: scripted }).catch(
            (error: unknown) => error,
          );
          if (outcome instanceof Error) {
            expect(outcome).toMatchObject({ code: "model_output_invalid" });
            return;
          }
          const { selected, avoid } = outcome as { selected: string[]; avoid: string[] };
          const all = [...selected, ...avoid];
          expect(all.every((one) => content.includes(one))).toBe(true);
          expect(new Set(all).size).toBe(all.length);
        },
      ),
    );
  });
});

const choose = async (profile: unknown, content: readonly string[], goal = "enjoy the evening") =>
  await run({ profile, content, goal }, { models });

describe("the offline method", () => {
  it.each([
    [{ interests: ["jazz"] }, ["Rock night", "Jazz evening", "Poetry"], ["Jazz evening"], []],
    [{ history: { bought: "hiking boots" } }, ["Hike in the hills", "Cinema"], ["Hike in the hills"], []],
    [
      { likes: "films", dislikes: "horror" },
      ["Horror film", "Family film"],
      ["Family film"],
      ["Horror film"],
    ],
    [{ likesOpera: true, likesSport: false }, ["Sport bar", "Opera gala"], ["Opera gala"], ["Sport bar"]],
    [{ notes: ["cakes", "no nuts"] }, ["Nut cake", "Nut-free cake"], ["Nut-free cake"], ["Nut cake"]],
    [
      { diet: "vegan", likes: "burgers" },
      ["Bean burgers", "Cheese platter"],
      ["Bean burgers"],
      ["Cheese platter"],
    ],
    [{ age: 15, likes: ["games"] }, ["Casino games", "Board games"], ["Board games"], ["Casino games"]],
  ])("chooses for %j from %j: %j, without %j", async (profile, content, selected, avoid) => {
    expect(await choose(profile, content)).toMatchObject({ selected, avoid });
  });

  it("chooses by the goal where the profile says nothing", async () => {
    const content = ["Tax letter", "Beach trip", "Museum"];
    expect((await choose({}, content, "plan a day at the beach")).selected[0]).toBe("Beach trip");
    expect((await choose({}, content, "visit a museum")).selected[0]).toBe("Museum");
  });

  it("names the person, the first choice and what speaks for it", async () => {
    const { headline, hook } = await choose({ name: "Ada", interests: ["jazz"] }, [
      "Late jazz session",
      "Chess",
    ]);
    expect(headline).toBe("Ada, this one is yours: Late jazz session");
    expect(hook).toContain("jazz");
  });

  it("selects nothing where everything is ruled out", async () => {
    expect(await choose({ dislikes: "horror" }, ["Horror film"])).toMatchObject({
      selected: [],
      avoid: ["Horror film"],
    });
  });

  it("answers whatever it is given, with members alone", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
        fc.array(
          fc.string({ minLength: 1, maxLength: 30 }).filter((one) => one.trim() !== ""),
          { minLength: 1, maxLength: 6 },
        ),
        async (profile, content) => {
          const { selected, avoid } = await choose(profile, content);
          expect([...selected, ...avoid].every((one: string) => content.includes(one))).toBe(true);
        },
      ),
    );
  });
});
