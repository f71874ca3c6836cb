import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Quota } from "../../src/core/quota.ts";

const step = fc.record({ owner: fc.constantFrom("a", "b", "c"), amount: fc.integer({ min: 1, max: 60 }) });

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

describe("a quota", () => {
  it("gives no owner more than half, and all of them no more than there is", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.boolean())), (steps) => {
        const quota = new Quota(100);
        const held = new Map<string, number[]>();
        const all = (): number => sum([...held.values()].flat());
        for (const [{ owner, amount }, gives] of steps) {
          const own = held.get(owner) ?? [];
          held.set(owner, own);
          const back = gives ? own.pop() : undefined;
          if (back !== undefined) quota.give(owner, back);
          const fits = sum(own) + amount <= 50 && all() + amount <= 100;
          expect(quota.tryTake(owner, amount)).toBe(fits);
          if (fits) own.push(amount);
        }
      }),
    );
  });

  it("takes nothing back that it did not give", () => {
    const quota = new Quota(10);
    quota.tryTake("a", 3);
    expect(() => quota.give("a", 4)).toThrow("a gives back more than it took");
    expect(() => quota.give("b", 1)).toThrow("b gives back more than it took");
  });
});
