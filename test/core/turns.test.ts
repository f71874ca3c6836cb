import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.ts";
import { Turns } from "../../src/core/turns.ts";

const LONG = LIMITS.smallWorkBytes + 1;

/** Work that takes a whole turn. */
function burn(): void {
  const until = performance.now() + LIMITS.turnMs;
  while (performance.now() < until);
}

/** The number of turns of the event loop so far. */
function countTurns(): { count: number; stop: () => void } {
  const turns = { count: 0, stop: (): void => void (stopped = true) };
  let stopped = false;
  const next = (): void => {
    turns.count++;
    if (!stopped) setImmediate(next);
  };
  setImmediate(next);
  return turns;
}

describe("the turns of a process", () => {
  it("give what the work gives, and what it throws", async () => {
    const turns = new Turns();
    const share = { owner: "a", bytes: LONG };
    expect(await turns.run(share, () => 7)).toBe(7);
    expect(await turns.run(share, () => Promise.resolve(8))).toBe(8);
    const failed = turns.run(share, () => {
      throw new Error("told to");
    });
    await expect(failed).rejects.toThrow("told to");
  });

  it("do one long piece each, and all of them", async () => {
    const turns = new Turns();
    const loop = countTurns();
    const doneIn: number[] = [];
    const pieces = Array.from({ length: 6 }, () =>
      turns.run({ owner: "a", bytes: LONG }, burn).then(() => doneIn.push(loop.count)),
    );
    await Promise.all(pieces);
    loop.stop();
    expect(new Set(doneIn).size).toBe(pieces.length);
  });

  it("let the owners of what waits take turns", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const run = (owner: string) =>
      turns.run({ owner, bytes: LONG }, () => {
        burn();
        order.push(owner);
      });
    await Promise.all(["a", "a", "a", "a", "b", "b"].map(run));
    expect(order.join("")).toBe("aababa");
  });

  it("let small work go before what waited longer", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const run = (name: string, bytes: number) =>
      turns.run({ owner: name, bytes }, () => {
        burn();
        order.push(name);
      });
    const small = LIMITS.smallWorkBytes;
    await Promise.all([run("a", LONG), run("b", LONG), run("c", LONG), run("d", small), run("e", small)]);
    expect(order.join("")).toBe("adebc");
  });

  it("refuse what would wait too long, and take it again later", async () => {
    const turns = new Turns();
    const bytes = LIMITS.turnsBacklogBytes / 4;
    const run = (owner: string) => turns.run({ owner, bytes }, burn);
    const taken = [run("a"), run("a"), run("a"), run("b")];
    await expect(run("a")).rejects.toMatchObject({ code: "overloaded", details: { retry_after_s: 1 } });
    taken.push(run("b"));
    await expect(run("c")).rejects.toMatchObject({ code: "overloaded" });
    await Promise.all(taken);
    await nextTurn();
    await run("c");
  });
});
