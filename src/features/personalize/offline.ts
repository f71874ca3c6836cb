import { defineOffline } from "../../core/models/offline.ts";
import { keywords, rankByRelevance, words } from "../../offline/text/keywords.ts";
import { isNegated } from "../../offline/text/rules.ts";
import { stem } from "../../offline/text/stem.ts";
import { tastesOf } from "./tastes.ts";

type Piece = { readonly number: number; readonly text: string };
type Asked = {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly goal: string;
  readonly content: readonly Piece[];
};

const SELECTED_LIMIT = 5;
/** What a person likes says more than what the choice is for. */
const GOAL_WEIGHT = 0.6;
/** Likeness of spelling only decides where no word is shared. */
const SPELLING_WEIGHT = 0.01;
const TITLE_WORDS = 8;
const REASONS_LIMIT = 3;

/** Scores each piece by the words that it shares with profile and goal, and keeps away what the profile rules out. */
export default defineOffline(({ data }) => {
  const { profile, goal, content } = data as Asked;
  const { name, likes, dislikes } = tastesOf(profile, isNegated);
  const liked = likes.join(". ");
  const avoided = new Set(avoid(content, dislikes, `${liked} ${goal}`));
  const ranked = rank(content, liked, goal).filter(({ piece }) => !avoided.has(piece.number));
  const limit = Math.min(SELECTED_LIMIT, Math.max(1, Math.ceil(content.length / 2)));
  const fitting = ranked.filter(({ isShared }) => isShared);
  const selected = (fitting.length > 0 ? fitting : ranked.slice(0, 1))
    .slice(0, limit)
    .map(({ piece }) => piece);
  return {
    selected: selected.map(({ number }) => number),
    avoid: [...avoided],
    headline: headline(selected[0], name, goal),
    hook: hook(selected, liked, goal),
  };
});

type Ranked = { readonly piece: Piece; readonly score: number; readonly isShared: boolean };

function rank(content: readonly Piece[], liked: string, goal: string): Ranked[] {
  const texts = content.map(({ text }) => text);
  const scores = new Map<number, number>();
  for (const [query, weight] of [
    [liked, 1],
    [goal, GOAL_WEIGHT],
  ] as const) {
    for (const { index, score } of rankByRelevance(query, texts))
      scores.set(index, (scores.get(index) ?? 0) + weight * score);
  }
  return content
    .map((piece, index) => {
      const score = scores.get(index) ?? 0;
      return {
        piece,
        isShared: score > 0,
        score: score + SPELLING_WEIGHT * spelledAlike(piece.text, `${liked} ${goal}`),
      };
    })
    .sort((a, b) => b.score - a.score || a.piece.number - b.piece.number);
}

/** The pieces that name what is disliked: by a word that neither profile nor goal wants, nor most pieces have. */
function avoid(content: readonly Piece[], dislikes: readonly string[], wanted: string): number[] {
  const wantedWords = new Set(keywords(wanted));
  const unwanted = [...new Set(dislikes.flatMap((text) => keywords(text)))].filter((word) => {
    const holders = content.filter(({ text }) => names(text, word)).length;
    return !wantedWords.has(word) && (content.length === 1 || holders < content.length);
  });
  return content.filter(({ text }) => unwanted.some((word) => names(text, word))).map(({ number }) => number);
}

/** Whether a text has a word, and not only to say that it is without it: `nut-free`, `no horror`. */
function names(text: string, wanted: string): boolean {
  const stems = words(text).map(stem);
  return stems.some((word, at) => {
    const isDenied =
      stems[at + 1] === "free" || ["no", "without", "non", "not"].includes(stems[at - 1] ?? "");
    return word === wanted && !isDenied;
  });
}

/** The share of a text's trigrams of letters that another one has, 0 to 1. */
function spelledAlike(text: string, other: string): number {
  const own = trigrams(text);
  return own.size === 0 ? 0 : own.intersection(trigrams(other)).size / own.size;
}

const TRIGRAM = 3;
const trigrams = (text: string): Set<string> =>
  new Set(
    words(text).flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - TRIGRAM + 1) }, (_, at) => word.slice(at, at + TRIGRAM)),
    ),
  );

function headline(best: Piece | undefined, name: string | undefined, goal: string): string {
  if (best === undefined) return `Nothing here for ${name ?? "this profile"}: ${title(goal)}`;
  return name === undefined
    ? `Picked for you: ${title(best.text)}`
    : `${name}, this one is yours: ${title(best.text)}`;
}

function hook(selected: readonly Piece[], liked: string, goal: string): string {
  const [best] = selected;
  if (best === undefined)
    return `Everything on offer is something to keep away, so nothing is shown for: ${title(goal)}.`;
  const reasons = sharedWords(liked, selected);
  const more = selected.length > 1 ? ` ${selected.length - 1} more in the same spirit.` : "";
  return reasons.length === 0
    ? `"${title(best.text)}" comes closest to what this is for: ${title(goal)}.${more}`
    : `You care about ${list(reasons)}: "${title(best.text)}" is where to begin.${more}`;
}

/** The profile's own words that the chosen pieces answer, the first ones. */
function sharedWords(liked: string, selected: readonly Piece[]): string[] {
  const present = new Set(selected.flatMap(({ text }) => keywords(text)));
  const shared = words(liked).filter((word) => keywords(word).some((keyword) => present.has(keyword)));
  return [...new Set(shared)].slice(0, REASONS_LIMIT);
}

const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** The beginning of a text, to name it by. */
function title(text: string): string {
  const all = text.trim().split(/\s+/);
  return all.length <= TITLE_WORDS
    ? all.join(" ").replace(/[.,;:]$/, "")
    : `${all.slice(0, TITLE_WORDS).join(" ")} ...`;
}
