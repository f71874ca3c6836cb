import fc from "fast-check";
import { expect, it } from "vitest";
import { bound, boundNodes, fromNode } from "../../../src/core/runs/binding.ts";
import {
  interrupted,
  isOpen,
  type NodeEnd,
  readyNodes,
  type RunState,
  step,
  withStarted,
} from "../../../src/core/runs/graph.ts";
import type { NodeSpec, RunRules } from "../../../src/core/runs/run-rules.ts";
import { LIMITS } from "../../../src/core/limits.ts";
import { frozen } from "../../support/frozen.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

type Shape = {
  readonly nodes: readonly NodeSpec[];
  readonly grow: number;
  readonly fails: ReadonlySet<string>;
};

/** Any graph whose nodes stand after what they need: chains, fans, diamonds and none at all among them. */
const shape: fc.Arbitrary<Shape> = fc
  .record({
    needs: fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 24 }),
    skips: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
    fails: fc.array(fc.nat(23), { maxLength: 3 }),
    grow: fc.nat(5),
  })
  .map(({ needs, skips, fails, grow }) => ({
    nodes: needs.map((of, nth) => ({
      name: `n${nth}`,
      slug: "any",
      needs: nth === 0 ? [] : [...new Set(of.map((need) => `n${need % nth}`))],
      input: {},
      onFailure: skips[nth] === true ? ("skip" as const) : ("end" as const),
    })),
    fails: new Set(fails.map((nth) => `n${nth}`)),
    grow,
  }));

/** Rules that add a node whenever one has ended, until they have grown, and end when nothing is open. */
const rulesOf = ({ nodes, grow }: Shape): RunRules => ({
  version: 1,
  maxNodes: 64,
  decide: (run) => {
    frozen({ input: run.input, document: run.document, ended: run.ended });
    const grown = run.document === null ? -1 : (run.document as number);
    if (grown < 0)
      return { document: 0, add: nodes, ...(nodes.length === 0 ? { end: { output: "empty" } } : {}) };
    if (run.ended.length > 0 && grown < grow)
      return {
        document: grown + 1,
        add: [{ name: `g${grown}`, slug: "any", needs: ["n0"], input: {}, onFailure: "skip" }],
      };
    const open = [...run.nodes.values()].some(({ state }) => state === "waiting" || state === "started");
    const lost = nodes.some(
      ({ name, onFailure }) => onFailure === "end" && run.nodes.get(name)?.state === "failed",
    );
    return open || lost ? {} : { end: { output: "done" } };
  },
});

const begun: RunState = {
  callId: "call_a",
  accountId: "acc_a",
  input: {},
  document: null,
  beganWith: 1,
  nodes: new Map(),
  events: [],
  end: null,
};

/** Plays a run to its end: `pick` says which of the nodes under way end next, and how many of them together. */
function play(of: Shape, pick: (under: readonly string[]) => readonly string[]) {
  const faults: unknown[] = [];
  const context = {
    rules: rulesOf(of),
    now: NOW,
    random: () => 0.5,
    onUnexpected: (error: unknown) => faults.push(error),
  };
  const started: string[] = [];
  let state = step(begun, [], context);
  for (let turn = 0; state.end === null; turn++) {
    if (turn > 200) throw new Error("the run does not end");
    const ready = readyNodes(state).map(({ name }) => name);
    started.push(...ready);
    state = withStarted(state, new Map(ready.map((name) => [name, `call_${name}`])));
    const under = [...state.nodes.values()]
      .filter(({ state }) => state === "started")
      .map(({ name }) => name);
    expect(under.length).toBeGreaterThan(0);
    expect(under.length).toBeLessThanOrEqual(LIMITS.runNodesInFlight);
    const ended = pick(under).map((name): NodeEnd =>
      of.fails.has(name)
        ? { name, state: "failed", error: { code: "told_to_fail", message: "It was told to fail." } }
        : { name, state: "succeeded", error: null, output: {} },
    );
    state = step(state, ended, context);
  }
  return { state, started, faults };
}

const someOf = (seed: readonly number[]) => {
  let at = 0;
  return (under: readonly string[]): readonly string[] => {
    const count = 1 + ((seed[at++ % seed.length] ?? 0) % under.length);
    return under.toSorted((a, b) => ((a.length * 7 + at) % 3) - ((b.length * 7 + at) % 3)).slice(0, count);
  };
};
const order = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 });

it("starts each node once, after what it needs has succeeded, and comes to an end", () => {
  fc.assert(
    fc.property(shape, order, (of, seed) => {
      const { state, started, faults } = play(of, someOf(seed));
      expect(faults).toEqual([]);
      expect(new Set(started).size).toBe(started.length);
      for (const { name, needs, state: its } of state.nodes.values()) {
        if (!started.includes(name)) continue;
        for (const need of needs) expect(started.indexOf(need)).toBeLessThan(started.indexOf(name));
        expect(["succeeded", "failed", "cancelled"]).toContain(its);
      }
      expect([...state.nodes.values()].some(isOpen)).toBe(false);
    }),
  );
});

it("ends as its nodes do, whatever the order in which they end", () => {
  fc.assert(
    fc.property(shape, order, (of, seed) => {
      const { state } = play(of, someOf(seed));
      const lost = of.nodes.some(
        ({ name, onFailure }) => onFailure === "end" && state.nodes.get(name)?.state === "failed",
      );
      expect(state.end?.state).toBe(lost ? "failed" : "succeeded");
      if (lost) return;
      for (const { name, needs = [] } of of.nodes) {
        const isLost = needs.some((need) => state.nodes.get(need)?.state !== "succeeded");
        const due = isLost ? "skipped" : of.fails.has(name) ? "failed" : "succeeded";
        expect(state.nodes.get(name)?.state).toBe(due);
      }
    }),
  );
});

it("decides the same about the same, and changes nothing that it is given", () => {
  fc.assert(
    fc.property(shape, order, (of, seed) => {
      const plain = ({ state, started }: ReturnType<typeof play>): string =>
        JSON.stringify([[...state.nodes], state.end, state.document, started]);
      expect(plain(play(of, someOf(seed)))).toBe(plain(play(of, someOf(seed))));
    }),
  );
});

it("leaves nothing open of a run that is interrupted, and starts nothing more", () => {
  fc.assert(
    fc.property(shape, (of) => {
      const context = { rules: rulesOf(of), now: NOW, random: () => 0, onUnexpected: () => undefined };
      const state = step(begun, [], context);
      if (state.end !== null) return;
      const failure = { code: "cancelled", message: "The caller cancelled this call." };
      const cut = interrupted(state, { state: "cancelled", failure });
      expect([...cut.nodes.values()].every(({ state }) => state === "cancelled")).toBe(true);
      expect(readyNodes(cut)).toEqual([]);
    }),
  );
});

it("judges a node that is added after its need has ended when it is added", () => {
  const rules: RunRules = {
    version: 1,
    maxNodes: 3,
    decide: ({ nodes, ended }) => {
      if (nodes.size === 0) return { add: [{ name: "a", slug: "any", input: {}, onFailure: "skip" }] };
      if (nodes.size === 1 && ended.length > 0)
        return { add: [{ name: "b", slug: "any", needs: ["a"], input: {} }] };
      return nodes.get("b")?.state === "skipped" ? { end: { output: "b was skipped" } } : {};
    },
  };
  const context = { rules, now: NOW, random: () => 0, onUnexpected: () => undefined };
  const started = withStarted(step(begun, [], context), new Map([["a", "call_a"]]));
  const error = { code: "told_to_fail", message: "It was told to fail." };
  const state = step(started, [{ name: "a", state: "failed", error }], context);
  expect(state.end).toEqual({ state: "succeeded", output: "b was skipped" });
});

it("finds what an input takes from other nodes, and puts it there", () => {
  const input = { text: fromNode("a", "pages", 1, "text"), list: [fromNode("b"), { plain: null }] };
  expect(boundNodes(input)).toEqual(["a", "b"]);
  const outputs = new Map<string, unknown>([
    ["a", { pages: [{ text: "first" }, { text: "second" }] }],
    ["b", [1, 2]],
  ]);
  expect(bound(input, outputs)).toEqual({ text: "second", list: [[1, 2], { plain: null }] });
  expect(() => bound(fromNode("a", "pages", 2), outputs)).toThrow("The output of a has no value at pages.2.");
  expect(() => bound(fromNode("a", "constructor"), outputs)).toThrow("has no value at constructor");
});
