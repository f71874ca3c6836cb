import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { characterSlug } from "../../../src/core/memory/character.ts";
import { Memories } from "../../../src/core/memory/memories.ts";
import type { MemoryScope } from "../../../src/core/memory/memory.ts";
import { plant } from "../../support/memories.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";

const { signal } = new AbortController();

let platform: TestPlatform;
let memories: Memories;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  memories = new Memories({
    db: platform.database.app,
    semantic: null,
    onFallback: () => expect.unreachable(),
  });
});
afterAll(() => platform.stop());

type Planted = Parameters<typeof plant>[2];
async function scopeWith(planted: Planted): Promise<MemoryScope> {
  const { id: accountId } = await platform.account();
  await plant(platform, accountId, planted);
  return { accountId, character: "" };
}
const relevant = async (scope: MemoryScope, question: string, limit = 12): Promise<string[]> =>
  (await memories.relevant(scope, { question, limit, signal })).memories.map(({ content }) => content);

describe("relevance", () => {
  it("puts what shares more words with the question first, in whatever inflected form", async () => {
    const scope = await scopeWith([
      { content: "Ada paints boats in the harbour" },
      { content: "The harbour opens at six" },
      { content: "Lunch is at noon" },
    ]);
    expect(await relevant(scope, "Who is painting a boat at the harbour?")).toEqual([
      "Ada paints boats in the harbour",
      "The harbour opens at six",
      "Lunch is at noon",
    ]);
  });

  it("puts the newer of two that fit alike first, and a much better fit before a newer one", async () => {
    const scope = await scopeWith([
      { content: "The gate code was 1111", ageDays: 300 },
      { content: "The gate code is 2222", ageDays: 1 },
      { content: "A gate", ageDays: 0 },
    ]);
    expect(await relevant(scope, "What is the gate code?")).toEqual([
      "The gate code is 2222",
      "The gate code was 1111",
      "A gate",
    ]);
  });

  it("fills up with the newest, to no more than was asked for", async () => {
    const scope = await scopeWith([
      { content: "tea is green", ageDays: 90 },
      ...Array.from({ length: 20 }, (_, nth) => ({ content: `note ${nth}`, ageDays: 20 - nth })),
    ]);
    const found = await relevant(scope, "tea?");
    expect(found).toHaveLength(12);
    expect(found.slice(0, 3)).toEqual(["tea is green", "note 19", "note 18"]);
    expect(await relevant(scope, "tea?", 1)).toEqual(["tea is green"]);
  });

  it.each([
    "",
    "the of and",
    "?!& | ! <-> :* ' \\ \"",
    "it's o'clock \\' ' ''",
    "a & b | !c <-> d:*",
    "http://a.test/x?q=1&r='2' a@b.test C:\\dir\\file",
    "💜 李雷 \u0301",
    "word ".repeat(800),
  ])("takes the question %j as words and nothing else", async (question) => {
    const scope = await scopeWith([{ content: "only this" }]);
    expect(await relevant(scope, question)).toEqual(["only this"]);
  });
});

describe("what is known already", () => {
  it("is told whatever the case, and only for its own scope", async () => {
    const scope = await scopeWith([{ content: "Tea is GREEN" }, { content: "of Ada", character: "ada" }]);
    const texts = ["new", "tea is green", "of Ada"];
    expect(await memories.unknown(scope, texts)).toEqual(["new", "of Ada"]);
    expect(await memories.unknown({ ...scope, character: "ada" }, texts)).toEqual(["new", "tea is green"]);
  });
});

describe("the room of an account", () => {
  it("counts all its scopes", async () => {
    const { accountId } = await scopeWith([{ content: "a" }, { content: "b", character: "ada" }]);
    expect(await memories.room(accountId)).toBe(9_998);
  });
});

describe("scopes", () => {
  it("never reach one another, whatever accounts, characters, contents and queries", async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, () => platform.account()));
    const text = fc.oneof(
      fc.constantFrom("secret", "Secret 1", "%", "_", "a", "tea for two", "o'hara", "\\"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((any) => !any.includes("\0")),
    );
    const name = fc.oneof(fc.constantFrom("", "Ada", "ada ", "ADA!", "ad", "a%", "a_"), text);
    const entry = fc.record({ account: fc.integer({ min: 0, max: 2 }), character: name, content: text });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), entry, async (entries, asked) => {
        const scopeOf = ({ account, character }: typeof asked): MemoryScope => ({
          accountId: accounts[account]?.id ?? "",
          character: characterSlug(character),
        });
        for (const one of entries) {
          const { accountId, character } = scopeOf(one);
          await plant(platform, accountId, [{ content: one.content, character }]);
        }
        const scope = scopeOf(asked);
        const own = await ownOf(scope);
        const terms = asked.content.split(/\s+/).filter(Boolean);
        const found = await memories.find(scope, { terms, limit: 10 });
        const all = await memories.find(scope, { terms: [], limit: 10 });
        const fitting = await memories.relevant(scope, { question: asked.content, limit: 12, signal });
        for (const { id } of [...found, ...all, ...fitting.memories]) expect(own).toContain(id);
        expect(all).toHaveLength(Math.min(10, own.size));
        expect(fitting.memories).toHaveLength(Math.min(12, own.size));
      }),
      { numRuns: 60 },
    );
  });
});

/** The ids of a scope, read past the class under test. */
async function ownOf({ accountId, character }: MemoryScope): Promise<Set<string>> {
  const rows = await platform.database.owner.query<{ id: string; account_id: string; character: string }>(
    "select id, account_id, character from memories",
  );
  const own = rows.filter((row) => row.account_id === accountId && row.character === character);
  return new Set(own.map(({ id }) => id));
}
