import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { think } from "../../../src/features/agent-brain/think.ts";
import type { Effect } from "../../../src/core/catalog/define.ts";
import { characterSlug } from "../../../src/core/memory/character.ts";
import { Memories } from "../../../src/core/memory/memories.ts";
import type { Memory, MemoryPort } from "../../../src/core/memory/memory.ts";
import type { ChatRequest, ModelPort } from "../../../src/core/models/models.ts";
import { noModels } from "../../../src/core/models/none.ts";
import { handlerContext } from "../../support/handler-context.ts";
import { memoriesOf, plant } from "../../support/memories.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";

const QUIET = { answer: "yes", reasoning: "", confidence: 0.5, used_memories: [], learned: [] };

/** A model that gives this answer, and keeps what it was asked. */
function modelThat(answer: Readonly<Record<string, unknown>>): { models: ModelPort; asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  const models: ModelPort = {
    ...noModels("This model does not paint."),
    chat: (request) => {
      asked.push(request);
      const text = JSON.stringify({ ...QUIET, ...answer });
      return Promise.resolve({ text, model: "test-model", tokens: { prompt: 5, completion: 2 } });
    },
  };
  return { models, asked };
}

/** A memory of one scope that holds these texts. */
function memoryOf(contents: readonly string[], room = 100): MemoryPort {
  const memories: Memory[] = contents.map((content, nth) => ({
    id: `mem_${nth + 1}`,
    content,
    created: new Date(0),
  }));
  return {
    find: () => Promise.resolve(memories),
    relevant: () => Promise.resolve({ memories, engine: "local" }),
    unknown: (_scope, texts) => Promise.resolve(texts.filter((text) => !contents.includes(text))),
    room: () => Promise.resolve(room),
  };
}

async function run(
  answer: Readonly<Record<string, unknown>>,
  memory: MemoryPort,
): Promise<{ output: Awaited<ReturnType<typeof think>>; effects: Effect[] }> {
  const effects: Effect[] = [];
  const context = handlerContext({
    ...modelThat(answer),
    memory,
    effect: (effect) => void effects.push(effect),
  });
  const output = await think({ think: "a question" }, context, { tier: "small", task: "agent-brain" });
  return { output, effects };
}

describe("what a model answers", () => {
  it.each([
    [7, 1],
    [-0.5, 0],
    [0.25, 0.25],
  ])("has its confidence of %d brought to %d", async (given, confidence) => {
    const { output } = await run({ confidence: given }, memoryOf([]));
    expect(output.confidence).toBe(confidence);
  });

  it("names memories only as far as they were recalled, while all that were recalled count", async () => {
    const { output, effects } = await run({ used_memories: ["m2", "m9", "mem_1"] }, memoryOf(["one", "two"]));
    expect(output).toMatchObject({
      memories_considered: 2,
      used_memories: [{ id: "mem_2", content: "two" }],
    });
    expect(effects).toEqual([{ kind: "memory_recall", data: { ids: ["mem_1", "mem_2"] } }]);
  });

  it("teaches at most three facts that are new, each stored as one memory", async () => {
    const learned = ["known", "a", " A ", "", "b", "c", "d"];
    const { output, effects } = await run({ learned }, memoryOf(["known"]));
    expect(output.learned).toEqual(["a", "b", "c"]);
    expect(effects.slice(1)).toEqual(
      ["a", "b", "c"].map((content) => ({
        kind: "memory_store",
        data: { id: expect.stringMatching(/^mem_[0-9a-f]{32}$/), character: "", content },
      })),
    );
  });

  it.each([
    [0, []],
    [-5, []],
    [2, ["a", "b"]],
  ])("teaches no more than the account has room for: %d", async (room, learned) => {
    const { output } = await run({ learned: ["a", "b", "c"] }, memoryOf([], room));
    expect(output.learned).toEqual(learned);
  });

  it("fails the call when it is empty twice", async () => {
    await expect(run({ answer: "  " }, memoryOf([]))).rejects.toMatchObject({ code: "model_output_invalid" });
  });
});

describe("a prompt", () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ pools: [] });
  });
  afterAll(() => platform.stop());

  it("holds memories of its own scope only, whatever the scopes hold and the semantic server names", async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, () => platform.account()));
    const everyId = async (): Promise<string[]> => {
      const all = await Promise.all(accounts.map(({ id }) => memoriesOf(platform, id)));
      return all.flat().map(({ id }) => id);
    };
    const name = fc.oneof(
      fc.constantFrom("", "Ada", "ADA!", "ad"),
      fc.string({ unit: "grapheme", maxLength: 8 }),
    );
    const scopes = fc.record({ account: fc.integer({ min: 0, max: 2 }), character: name });
    const words = fc.array(fc.constantFrom("tea", "boat", "code", "oak", "gate"), {
      minLength: 1,
      maxLength: 4,
    });
    const entry = fc.record({ scope: scopes, words });
    let planted = 0;
    const ownerOf = new Map<string, string>();
    const keyOf = ({ account, character }: { account: number; character: string }): string =>
      `${accounts[account]?.id} ${characterSlug(character)}`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 5 }),
        entry,
        fc.boolean(),
        async (entries, asked, names) => {
          for (const { scope, words: text } of entries) {
            const content = `${text.join(" ")} number ${planted++}`;
            ownerOf.set(content, keyOf(scope));
            const character = characterSlug(scope.character);
            await plant(platform, accounts[scope.account]?.id ?? "", [{ content, character }]);
          }
          const ids = names ? await everyId() : [];
          const { models, asked: requests } = modelThat(QUIET);
          const context = handlerContext({
            models,
            accountId: accounts[asked.scope.account]?.id ?? "",
            memory: new Memories({
              db: platform.database.app,
              semantic: { rank: () => Promise.resolve(ids), store: () => Promise.resolve() },
              onFallback: () => expect.unreachable(),
            }),
          });
          const input = { think: asked.words.join(" "), character: asked.scope.character };
          await think(input, context, { tier: "small", task: "agent-brain" });
          const [, user] = requests[0]?.messages ?? [];
          const shown = (JSON.parse(user?.content ?? "") as { memories: { content: string }[] }).memories;
          for (const { content } of shown) expect(ownerOf.get(content)).toBe(keyOf(asked.scope));
          const own = [...ownerOf.values()].filter((owner) => owner === keyOf(asked.scope)).length;
          expect(shown).toHaveLength(Math.min(12, own));
        },
      ),
      { numRuns: 50 },
    );
  });
});
