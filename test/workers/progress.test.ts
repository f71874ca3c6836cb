import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { throttled } from "../../workers/progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How many of `count` come through at once. */
function through(tell: ReturnType<typeof throttled>, told: readonly string[], count: number): number {
  const before = told.length;
  for (let nth = 0; nth < count; nth++) tell({ nth });
  return told.length - before;
}

it("lets the first five steps through at once, then ten a second, and never more than five together", () => {
  const told: string[] = [];
  const tell = throttled((data) => void told.push(data));
  expect(through(tell, told, 8)).toBe(5);
  vi.advanceTimersByTime(99);
  expect(through(tell, told, 3)).toBe(0);
  vi.advanceTimersByTime(201);
  expect(through(tell, told, 8)).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(through(tell, told, 20)).toBe(5);
  expect(told.slice(0, 2)).toEqual(['{"nth":0}', '{"nth":1}']);
});
