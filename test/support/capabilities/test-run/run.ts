import { fromNode } from "../../../../src/core/runs/binding.ts";
import {
  defineRun,
  type NodeSpec,
  type RunDecision,
  type RunView,
} from "../../../../src/core/runs/run-rules.ts";
import testRun from "./index.ts";

/** Version 1 kept the notes alone. */
type Kept = { readonly notes: readonly string[]; readonly grown: number };
type Input = ReturnType<typeof testRun.input.parse>;
type Output = ReturnType<typeof testRun.output.parse>;
type View = RunView<Input, Kept | readonly string[]>;

const FINAL = new Set(["succeeded", "failed", "skipped", "cancelled"]);

export default defineRun<Kept | readonly string[], typeof testRun.input, typeof testRun.output>(testRun, {
  version: 2,
  maxNodes: 64,
  decide: (run) => {
    const { input, ended, nodes } = run;
    if (run.document === null) return begin(run);
    const document = "notes" in run.document ? run.document : { notes: run.document, grown: 0 };
    if (input.mistake === "restless") return { add: [grown(input, nodes.size)] };
    const outputs = ended.map(({ output }) => (output as { text?: string } | undefined)?.text);
    const notes = [...document.notes, ...outputs.filter((text) => text !== undefined)];
    const events = ended.map(({ name, state }) => ({ type: "step", data: { step: name, status: state } }));
    const grows = ended.length > 0 && document.grown < input.grow;
    const kept = { notes, grown: document.grown + (grows ? 1 : 0) };
    const cancel = ended.length === 0 ? [] : input.race.filter((name) => isOpen(run, name));
    if (grows) return { document: kept, events, cancel, add: [grown(input, document.grown)] };
    return { document: kept, events, cancel, ...endOf(run, kept, cancel) };
  },
});

function begin({ input, beganWith }: View): RunDecision<Output, Kept> {
  const document = { notes: [], grown: 0 };
  switch (input.mistake) {
    case "throw":
      throw new Error("these rules were told to throw");
    case "stuck":
      return { document };
    case "stranger":
      return { document, add: [{ name: "a", slug: "test-note", needs: ["nobody"], input: { text: "a" } }] };
    case "garbled":
      return {
        document,
        end: { output: { text: input.text, states: {}, notes: [], grown: Number.NaN, beganWith } },
      };
    default:
  }
  const add = input.nodes.map((node) => specOf(input, node));
  if (input.grow > 0 && add.length === 0)
    return { document: { ...document, grown: 1 }, add: [grown(input, 0)] };
  if (add.length === 0)
    return { document, end: { output: { text: input.text, states: {}, notes: [], grown: 0, beganWith } } };
  return { document, add, events: [{ type: "plan", data: { nodes: add.length } }] };
}

const specOf = (
  { text }: Input,
  { name, slug, needs, mode, ms, onFailure, input }: Input["nodes"][number],
): NodeSpec => ({
  name,
  slug,
  needs,
  onFailure,
  input: input ?? { text: `${text} ${name}`, mode, ms, before: needs.map((need) => fromNode(need, "text")) },
});

const grown = ({ text }: Input, nth: number): NodeSpec => ({
  name: `grown-${nth}`,
  slug: "test-note",
  input: { text: `${text} grown-${nth}` },
});

const isOpen = ({ nodes }: View, name: string): boolean => !FINAL.has(nodes.get(name)?.state ?? "");

function endOf(
  { nodes, input, beganWith }: View,
  { notes, grown }: Kept,
  cancelled: readonly string[],
): Pick<RunDecision<Output, Kept>, "end"> {
  const all = [...nodes.values()];
  const isFinal = all.every(({ name, state }) => FINAL.has(state) || cancelled.includes(name));
  const skips = new Set(input.nodes.filter(({ onFailure }) => onFailure === "skip").map(({ name }) => name));
  const isLost = all.some(({ name, state }) => state === "failed" && !skips.has(name));
  // What failed without leave ends the run by itself.
  if (!isFinal || isLost) return {};
  const states = Object.fromEntries(
    all.map(({ name, state }) => [name, cancelled.includes(name) ? "cancelled" : state]),
  );
  return { end: { output: { text: input.text, states, notes: notes.toSorted(), grown, beganWith } } };
}
