import { ALNUM, isIn, type Word, wordAt } from "./characters.ts";
import { luhn } from "./checksums.ts";
import type { Kind, Span } from "./kinds.ts";
import { followsPlus, goesOnInGroups, isLabelled, labelText, standsAlone } from "./number-surroundings.ts";
import { HYPHEN, NO_SEPARATOR, SEPARATOR_CODES, separatorCode, SEPARATORS, SPACE } from "./separators.ts";

/** A kind of number that people carry: how it is written, and how a true one is told from any other. */
export type NumberScheme = {
  readonly name: string;
  readonly kind: Kind;
  /**
   * The groups in which it is written: `3-2-4` are digits with hyphens between; `w2` is a word of two letters and
   * digits. Separators are space, hyphen, dot, slash and plus.
   */
  readonly shapes: readonly string[];
  /** Takes the groups put together, in capitals. */
  readonly valid: (compact: string) => boolean;
  /** Words of which one must stand before the number: its own check is too weak to go by alone. */
  readonly labels?: readonly string[];
};

/** Where a shape ends in the tree, or a longer one goes on. */
type Node = {
  readonly cards: NumberScheme[];
  readonly ids: NumberScheme[];
  readonly labelledIds: NumberScheme[];
  /** By separator and group, as `groupCode` counts them. */
  readonly next: (Node | undefined)[];
};

const LONGEST_GROUP = 19;
const GROUP_LENGTHS = LONGEST_GROUP + 1;
const CODES = SEPARATOR_CODES * 2 * GROUP_LENGTHS;

const newNode = (): Node => ({
  cards: [],
  ids: [],
  labelledIds: [],
  next: Array.from({ length: CODES }, () => undefined),
});

/** Finds numbers by walking a tree of the shapes of all schemes: one look at each group, whatever the text. */
export class NumberFinder {
  readonly #root = newNode();

  constructor(schemes: readonly NumberScheme[]) {
    for (const scheme of schemes) {
      for (const shape of scheme.shapes) listFor(scheme, this.#nodeFor(shape)).push(scheme);
    }
  }

  /** The longest number that begins with this word; `floor` is where the finding before it ended. */
  find(text: string, first: Word, floor: number): Span | undefined {
    let found: Span | undefined;
    let node = this.#root.next[groupCode(NO_SEPARATOR, first.end - first.start, first.letters)];
    let hyphens = false;
    let spaces = false;
    for (let last = first; node !== undefined;) {
      if (endsShape(node) && standsAlone(text, first.start, last.end, hyphens)) {
        const part = spaces && goesOnInGroups(text, first, last);
        const kind = kindOf(node, text, first.start, last.end, floor, part);
        if (kind !== undefined) found = { start: first.start, end: last.end, kind };
      }
      const separator = separatorCode(text, last.end);
      if (separator === NO_SEPARATOR || !isIn(text, last.end + 1, ALNUM)) break;
      hyphens ||= separator === HYPHEN;
      spaces ||= separator === SPACE;
      last = wordAt(text, last.end + 1);
      node = node.next[groupCode(separator, last.end - last.start, last.letters)];
    }
    return found !== undefined && followsPlus(text, found.start) ? undefined : found;
  }

  #nodeFor(shape: string): Node {
    let node = this.#root;
    for (const [, separator = "", flag, length] of shape.matchAll(/([^w\d]?)(w?)(\d+)/g)) {
      const code = groupCode(separatorCode(separator, 0), Number(length), flag === "w");
      const next = node.next[code] ?? newNode();
      node.next[code] = next;
      node = next;
    }
    return node;
  }
}

/** One number for a group and the separator before it; groups that are too long for any shape all have length 0. */
function groupCode(separator: number, length: number, letters: boolean): number {
  const group = length > LONGEST_GROUP ? 0 : length;
  return (separator * 2 + (letters ? 1 : 0)) * GROUP_LENGTHS + group;
}

const endsShape = ({ cards, ids, labelledIds }: Node): boolean =>
  cards.length + ids.length + labelledIds.length > 0;

function listFor(scheme: NumberScheme, node: Node): NumberScheme[] {
  if (scheme.kind === "card") return node.cards;
  return scheme.labels === undefined ? node.ids : node.labelledIds;
}

/** What a number is; as part of a longer row of groups it can only be a card, with its date or code after it. */
function kindOf(
  { cards, ids, labelledIds }: Node,
  text: string,
  start: number,
  end: number,
  floor: number,
  part: boolean,
): Kind | undefined {
  if (part && (cards.length === 0 || !luhn(text, start, end))) return undefined;
  const compact = text.slice(start, end).replace(SEPARATORS, "").toUpperCase();
  const passes = ({ valid }: NumberScheme): boolean => valid(compact);
  if (cards.some(passes)) return "card";
  if (part) return undefined;
  if (ids.some(passes)) return "national_id";
  const before = labelledIds.length === 0 ? "" : labelText(text, start, floor);
  if (before === "") return undefined;
  return labelledIds.some((id) => isLabelled(before, id.labels ?? []) && passes(id))
    ? "national_id"
    : undefined;
}
