import type { Found } from "./found.ts";
import { type Field, labelledFields } from "./fields.ts";
import { keywords, words } from "./keywords.ts";
import { rankSentences, splitSentences } from "./sentences.ts";
import { stem } from "./stem.ts";
import { findValues, type ValueKind } from "./values.ts";

/** Kinds that the tagger finds: once in a whole text, for each of its records takes far longer. */
const NAMES: ReadonlySet<ValueKind> = new Set(["person", "place", "organization"]);

/** A text that several values are read from: what is found in it is found once. */
export class SourceText {
  readonly text: string;
  readonly #whole: SourceText | undefined;
  readonly #values = new Map<ValueKind, readonly Found[]>();
  /** Where values begin that a field has taken already. */
  readonly #taken = new Set<number>();
  #fields: readonly Field[] | undefined;
  #sentences: readonly string[] | undefined;
  #keywords: readonly ReadonlySet<string>[] | undefined;
  #ranked: readonly string[] | undefined;

  /** A record of a text is given the whole, too. */
  constructor(text: string, whole?: SourceText) {
    this.text = text;
    this.#whole = whole;
  }

  get fields(): readonly Field[] {
    return (this.#fields ??= labelledFields(this.text));
  }

  get sentences(): readonly string[] {
    return (this.#sentences ??= splitSentences(this.text));
  }

  /** The most central sentences, in the order of the text. */
  summary(count: number): string {
    this.#ranked ??= rankSentences(this.sentences).map(({ text }) => text);
    const chosen = new Set(this.#ranked.slice(0, count));
    return [...chosen].sort((a, b) => this.sentences.indexOf(a) - this.sentences.indexOf(b)).join(" ");
  }

  /** The first sentence that has most of the keywords, and how many it has; undefined where none has any. */
  sentenceAbout(
    wanted: readonly string[],
  ): { readonly sentence: string; readonly count: number } | undefined {
    this.#keywords ??= this.sentences.map((sentence) => new Set(keywords(sentence)));
    const counts = this.#keywords.map((present) => wanted.filter((word) => present.has(word)).length);
    const count = Math.max(0, ...counts);
    const sentence = this.sentences[counts.indexOf(count)];
    return count === 0 || sentence === undefined ? undefined : { sentence, count };
  }

  values(kind: ValueKind): readonly Found[] {
    const known = this.#values.get(kind);
    if (known !== undefined) return known;
    const found =
      this.#whole !== undefined && NAMES.has(kind)
        ? this.#namesOf(this.#whole, kind)
        : findValues(this.text, kind);
    this.#values.set(kind, found);
    return found;
  }

  #namesOf(whole: SourceText, kind: ValueKind): Found[] {
    const names = new Set(whole.values(kind).map(({ text }) => text));
    return [...names].flatMap((name) => {
      const start = this.text.indexOf(name);
      return start === -1 ? [] : [{ value: name, text: name, start, end: start + name.length }];
    });
  }

  /**
   * The value of one of the kinds that stands nearest to a cue, within a sentence, and is not taken yet. Without any
   * such, the first of the first kind that is not taken, unless a cue is needed.
   */
  take(kinds: readonly ValueKind[], cues: readonly string[], options: TakeOptions): Found | undefined {
    const { needsCue, fits } = options;
    const free = kinds
      .flatMap((kind) => this.values(kind))
      .filter((one) => !this.#taken.has(one.start) && (fits === undefined || fits(one)));
    const near = free
      .map((one) => ({ one, distance: this.#distance(one, cues) }))
      .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.distance - b.distance);
    const chosen = near[0]?.one ?? (needsCue ? undefined : free[0]);
    if (chosen !== undefined) this.#taken.add(chosen.start);
    return chosen;
  }

  /** How many characters stand between a value and the nearest cue; infinite where no cue is in its sentence. */
  #distance({ start, end, value }: Found, cues: readonly string[]): number {
    const reach = this.text.slice(Math.max(0, start - REACH_CHARS), start);
    const before = stemLine(reach.split(SENTENCE_END).at(-1) ?? "");
    const after = stemLine(this.text.slice(end, end + REACH_CHARS).split(SENTENCE_END)[0] ?? "");
    const distances = cues.map((cue, rank) => {
      const wanted = stemLine(cue);
      const back = before.lastIndexOf(wanted);
      const ahead = after.indexOf(wanted);
      const afterCue = back === -1 ? Number.POSITIVE_INFINITY : before.length - back - wanted.length;
      // "due on 3 March": what follows its cue is likelier, but for what is counted: "3 laptops".
      const isCount = ahead === 0 && typeof value === "number" && this.text[end] === " ";
      const aheadOfCue = ahead === -1 ? Number.POSITIVE_INFINITY : isCount ? 0 : ahead + AHEAD_PENALTY;
      // A synonym is a weaker sign than the key's own word.
      return Math.min(afterCue, aheadOfCue) + rank * RANK_PENALTY;
    });
    return Math.min(...distances);
  }
}

export type TakeOptions = {
  /** Whether a value without a cue in its sentence is none. */
  readonly needsCue: boolean;
  readonly fits?: (found: Found) => boolean;
};

const REACH_CHARS = 120;
const AHEAD_PENALTY = 4;
const RANK_PENALTY = 3;
const SENTENCE_END = /(?<=[.!?;])\s+(?=\p{Lu})|\n/u;

const stemLine = (text: string): string => ` ${words(text).map(stem).join(" ")} `;
