import fc from "fast-check";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batch } from "../../src/core/batch.ts";
import { AppError } from "../../src/core/errors.ts";
import { patienceMs, withPatience } from "../../src/core/patience.ts";

const double = async (items: readonly number[]): Promise<number[]> => items.map((item) => item * 2);

describe("batch", () => {
  it("gives each caller its own item's result, in whatever lists they travelled", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer(), { maxLength: 100 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 3 }),
        async (items, maxItems, maxInFlight) => {
          const one = batch({ run: double, maxItems, maxInFlight });
          expect(await Promise.all(items.map(one))).toEqual(items.map((item) => item * 2));
        },
      ),
    );
  });

  it("sends what comes in the same turn as one list", async () => {
    const lists: (readonly number[])[] = [];
    const one = batch({
      maxItems: 10,
      maxInFlight: 1,
      run: (items: readonly number[]) => (lists.push(items), double(items)),
    });
    await Promise.all([1, 2, 3].map(one));
    expect(lists).toEqual([[1, 2, 3]]);
  });

  it("never makes a list longer than maxItems, nor more lists at once than maxInFlight", async () => {
    const limits = { maxItems: 4, maxInFlight: 2 };
    let underWay = 0;
    const seen = { items: 0, lists: 0 };
    const one = batch({
      ...limits,
      run: async (items: readonly number[]) => {
        underWay++;
        seen.items = Math.max(seen.items, items.length);
        seen.lists = Math.max(seen.lists, underWay);
        await turn();
        underWay--;
        return await double(items);
      },
    });
    await Promise.all(Array.from({ length: 50 }, (_, index) => one(index)));
    expect(seen).toEqual({ items: limits.maxItems, lists: limits.maxInFlight });
  });

  it("gathers what comes while all lists are under way into the next", async () => {
    const gate = Promise.withResolvers<void>();
    const lists: number[] = [];
    const one = batch({
      maxItems: 10,
      maxInFlight: 1,
      run: async (items: readonly number[]) => {
        lists.push(items.length);
        await gate.promise;
        return items;
      },
    });
    const first = one(1);
    await turn();
    await turn();
    const rest = [2, 3, 4].map(one);
    gate.resolve();
    await Promise.all([first, ...rest]);
    expect(lists).toEqual([1, 3]);
  });

  it("rejects only the item at fault when a list fails", async () => {
    const one = batch({
      maxItems: 10,
      maxInFlight: 1,
      run: async (items: readonly number[]) => {
        if (items.includes(2)) throw new Error("two is bad");
        return items;
      },
    });
    const settled = await Promise.allSettled([1, 2, 3].map(one));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("asks once and no more when what it asks is away", async () => {
    let asked = 0;
    const one = batch({
      maxItems: 10,
      maxInFlight: 1,
      run: async (): Promise<number[]> => {
        asked++;
        throw new AppError("unavailable", "away");
      },
    });
    const settled = await Promise.allSettled([1, 2, 3].map(one));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(asked).toBe(1);
  });

  it("lets no item wait longer than whoever asked for it, and the others wait on", async () => {
    const gate = Promise.withResolvers<void>();
    const one = batch({
      maxItems: 10,
      maxInFlight: 1,
      run: async (items: readonly number[]) => {
        expect(patienceMs()).toBeUndefined();
        await gate.promise;
        return items;
      },
    });
    const hurried = withPatience(20, () => one(1));
    const patient = one(2);
    await expect(hurried).rejects.toMatchObject({ code: "unavailable" });
    gate.resolve();
    expect(await patient).toBe(2);
  });

  it("goes on after a failure", async () => {
    let calls = 0;
    const one = batch({
      maxItems: 1,
      maxInFlight: 1,
      run: async (items: readonly number[]) => {
        if (calls++ === 0) throw new Error("once");
        return items;
      },
    });
    await expect(one(1)).rejects.toThrow("once");
    expect(await one(2)).toBe(2);
  });

  it("rejects when a run does not give one result for each item", async () => {
    const one = batch({ maxItems: 1, maxInFlight: 1, run: async (): Promise<number[]> => [] });
    await expect(one(1)).rejects.toThrow("one result for each item");
  });
});
