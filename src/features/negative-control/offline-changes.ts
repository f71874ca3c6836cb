import { diffWordsWithSpace, type StructuredPatch } from "diff";

/** A change that a diff makes at one place, and what holds with it alone. */
export type Change = { readonly weight: number; readonly text: string; readonly says: string };

const GUARD = /^\s*(?:\}\s*)?(?:else\s+)?(?:if|unless|guard|elif)\b\s*(.*)$/;
const ENDS = /^\s*(?:return|throw|raise|continue|break|exit|panic)\b/;
const COMMENT_OR_BLANK = /^\s*(?:$|\/\/|#|\*|\/\*|<!--)/;
const TEST_FILE = /(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.|\.md$/;
const WEIGHT = { guard: 5, replaced: 4, added: 2, removed: 2, inTests: -4 };
/** What the caller says about the fix outweighs the form of the change. */
const NEARNESS = 6;
/** What stands behind it in a line is not looked at. */
const LINE_CHARS = 400;

type Block = { place: string; inTests: boolean; removed: string[]; added: string[]; next: string };

/** Every change of a diff that can be more than layout, in its order. */
export function changesOf(files: readonly StructuredPatch[]): Change[] {
  return files.flatMap(blocksOf).flatMap(changesIn);
}

/** The change that most likely carries the fix; `nearness` is how close a text is to what the caller says of it. */
export function carryingChange(changes: readonly Change[], nearness: (text: string) => number): Change {
  const [best] = changes
    .map((change) => ({ change, score: change.weight + NEARNESS * nearness(change.text) }))
    .sort((a, b) => b.score - a.score);
  return (
    best?.change ?? {
      weight: 0,
      text: "",
      says: "No behaviour depends on this fix: its changes are blank lines and comments, so no assertion can fail without it.",
    }
  );
}

/** Runs of changed lines, with where they stand in the fixed file and the line after them. */
function blocksOf({ oldFileName, newFileName, hunks }: StructuredPatch): Block[] {
  const path = [newFileName, oldFileName].find((name) => name !== undefined && name !== "/dev/null") ?? "";
  const file = path.replace(/^[ab]\//, "");
  const blocks: Block[] = [];
  for (const { newStart, lines } of hunks) {
    let lineNumber = newStart;
    let open: Block | undefined;
    for (const line of lines) {
      if (line.startsWith("\\")) continue;
      const content = line.slice(1, 1 + LINE_CHARS);
      if (/^[+-]/.test(line)) {
        if (open === undefined) {
          const place = file === "" ? `line ${lineNumber}` : `${file}:${lineNumber}`;
          open = { place, inTests: TEST_FILE.test(file), removed: [], added: [], next: "" };
          blocks.push(open);
        }
        (line.startsWith("+") ? open.added : open.removed).push(content);
      } else if (open !== undefined) {
        open.next = content;
        open = undefined;
      }
      if (!line.startsWith("-")) lineNumber++;
    }
  }
  return blocks;
}

function changesIn(block: Block): Change[] {
  const added = block.added.filter((line) => !COMMENT_OR_BLANK.test(line));
  const removed = block.removed.filter((line) => !COMMENT_OR_BLANK.test(line));
  const penalty = block.inTests ? WEIGHT.inTests : 0;
  const change = (weight: number, text: string, says: string): Change => ({
    weight: weight + penalty,
    text,
    says,
  });
  const [firstAdded, firstRemoved] = [added[0], removed[0]];
  if (firstAdded !== undefined && firstRemoved !== undefined) {
    return [
      change(
        WEIGHT.replaced,
        [...removed, ...added].join("\n"),
        replaced(block.place, firstRemoved, firstAdded),
      ),
    ];
  }
  if (firstAdded !== undefined) {
    const guard = added.findIndex((line) => GUARD.test(line));
    return guard === -1
      ? [
          change(
            WEIGHT.added,
            added.join("\n"),
            `With the fix \`${firstAdded.trim()}\` runs at ${block.place}, and its effect can be observed; without it, nothing of the kind happens there.`,
          ),
        ]
      : [change(WEIGHT.guard, added.join("\n"), guarded(block, added.slice(guard)))];
  }
  if (firstRemoved === undefined) return [];
  return [
    change(
      WEIGHT.removed,
      removed.join("\n"),
      `With the fix \`${firstRemoved.trim()}\` no longer runs at ${block.place}; without it, its effect comes back.`,
    ),
  ];
}

/** A guard lets one case end where it went on before. */
function guarded({ place, next }: Block, lines: readonly string[]): string {
  const [guard = "", ...rest] = lines;
  const condition = conditionOf(guard);
  const end =
    /\b(?:return|throw|raise|continue|break)\b[^;{}]*/.exec(guard)?.[0] ??
    rest.find((line) => ENDS.test(line));
  const outcome = end === undefined ? "takes the branch" : `ends at \`${end.trim().replace(/;$/, "")}\``;
  const goesOn = next.trim() === "" ? "goes on past that place" : `goes on to \`${next.trim()}\``;
  return `A case in which \`${condition}\` holds ${outcome} at ${place} with the fix; without it, the same case ${goesOn}.`;
}

function conditionOf(guard: string): string {
  const rest = (GUARD.exec(guard)?.[1] ?? guard).trim();
  const inner = rest.startsWith("(") ? untilClosed(rest) : rest.replace(/[:{]\s*$/, "");
  return inner.trim();
}

/** What stands between a parenthesis at the start and the one that closes it. */
function untilClosed(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return text.slice(1, at);
  }
  return text.slice(1);
}

const COMPARISON = /([\w.$]+) ?([<>]=?) ?([\w.$]+)/;

/** What differs between two versions of a line decides; where a bound moved by one, that is the bound itself. */
function replaced(place: string, before: string, after: string): string {
  const [was, wasLeft, wasSign, wasRight] = COMPARISON.exec(before) ?? [];
  const [is, left, sign, right] = COMPARISON.exec(after) ?? [];
  if (
    was !== undefined &&
    is !== undefined &&
    left === wasLeft &&
    right === wasRight &&
    sign?.[0] === wasSign?.[0] &&
    sign !== wasSign
  ) {
    const [holding, failing] =
      sign?.length === 2 ? ["with the fix", "without it"] : ["without the fix", "with it"];
    return `At ${place}, with \`${left}\` equal to \`${right}\`: ${holding} the comparison holds, ${failing} it does not, for the fix has \`${is}\` where \`${was}\` stood.`;
  }
  const parts = diffWordsWithSpace(before.trim(), after.trim());
  const come = differing(
    after,
    parts.filter(({ added }) => added),
  );
  const gone = differing(
    before,
    parts.filter(({ removed }) => removed),
  );
  const differ =
    come !== "" && gone !== ""
      ? `an input for which \`${come}\` and \`${gone}\` differ`
      : come === ""
        ? `an input for which \`${gone}\` mattered`
        : `an input for which \`${come}\` matters`;
  return `At ${place}, ${differ} gives what \`${after.trim()}\` says; without the fix, it gives what \`${before.trim()}\` says.`;
}

/** The part of a line that differs; the line itself where it is several, which say nothing without what is between. */
const differing = (line: string, parts: readonly { readonly value: string }[]): string =>
  (parts.length > 1 ? line : (parts[0]?.value ?? "")).trim();
