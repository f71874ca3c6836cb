import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Db } from "../../../src/core/db.ts";
import { LIMITS } from "../../../src/core/limits.ts";
import { Rooms } from "../../../src/core/memory/rooms.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A database in which each account holds `held` memories; `counts` says how often it was asked. */
function holding(held: number): { readonly rooms: Rooms; counts: number; held: number } {
  const db: Db = {
    query: async <T extends object>() => {
      world.counts++;
      return await Promise.resolve([{ held: world.held }] as unknown as T[]);
    },
  };
  const world = { rooms: new Rooms(db), counts: 0, held };
  return world;
}

it("counts an account with much room once in some seconds", async () => {
  const world = holding(0);
  expect(await world.rooms.of("a")).toBe(LIMITS.memoriesPerAccount);
  world.held = 1;
  vi.advanceTimersByTime(LIMITS.memoryRoomMs - 1);
  expect(await world.rooms.of("a")).toBe(LIMITS.memoriesPerAccount);
  vi.advanceTimersByTime(1);
  expect(await world.rooms.of("a")).toBe(LIMITS.memoriesPerAccount - 1);
  expect(world.counts).toBe(2);
});

it("counts a full account each time, and one that is nearly full again before it could have filled", async () => {
  const world = holding(LIMITS.memoriesPerAccount - 10);
  expect(await world.rooms.of("a")).toBe(10);
  vi.advanceTimersByTime(5);
  world.held = LIMITS.memoriesPerAccount;
  expect(await world.rooms.of("a")).toBe(0);
  world.held = LIMITS.memoriesPerAccount - 1;
  expect(await world.rooms.of("a")).toBe(1);
});

it("forgets the account that it counted longest ago where it knows too many", async () => {
  const world = holding(0);
  for (let nth = 0; nth <= LIMITS.memoryRoomEntries; nth++) await world.rooms.of(`a${nth}`);
  const before = world.counts;
  await world.rooms.of("a1");
  expect(world.counts).toBe(before);
  await world.rooms.of("a0");
  expect(world.counts).toBe(before + 1);
});
