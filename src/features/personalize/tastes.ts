import { ADULT_AGE, FOR_ADULTS, RESTRICTIONS } from "./restrictions.ts";

/** What a profile says for and against content, as texts. */
export type Tastes = {
  readonly name?: string;
  readonly likes: readonly string[];
  readonly dislikes: readonly string[];
};

const AGAINST =
  /dislike|avoid|hate|never|block|exclu|allerg|not_?interest|uninterest|unwanted|negative|mute|skip|intoleran|phobia|without|opt_?out/i;
const NAMES = ["name", "first_name", "firstName", "display_name", "displayName", "username", "handle"];
/** Keys whose values name the person and say nothing of tastes. */
const IDENTITY =
  /^(?:.*name|handle|id|email|phone|uuid|.*_id|url|avatar|created|updated|timezone|locale|language)$/i;

/** Reads a profile of any form; `isNegated` says of a text whether it denies something. */
export function tastesOf(
  profile: Readonly<Record<string, unknown>>,
  isNegated: (text: string) => boolean,
): Tastes {
  const likes: string[] = [];
  const dislikes: string[] = [];
  const read = (value: unknown, key: string, isAgainst: boolean): void => {
    const against = isAgainst || AGAINST.test(key);
    if (typeof value === "string") (against || isNegated(value) ? dislikes : likes).push(value);
    else if (typeof value === "boolean") (against === value ? dislikes : likes).push(wordsOfKey(key));
    else if (Array.isArray(value)) for (const item of value) read(item, key, against);
    else if (typeof value === "object" && value !== null)
      for (const [inner, part] of Object.entries(value))
        if (!IDENTITY.test(inner)) read(part, inner, against);
  };
  read(profile, "", false);
  const said = likes.join(" ").toLowerCase();
  for (const [word, ruledOut] of Object.entries(RESTRICTIONS))
    if (said.includes(word)) dislikes.push(ruledOut);
  if (typeof profile["age"] === "number" && profile["age"] < ADULT_AGE) dislikes.push(FOR_ADULTS);
  const name = NAMES.map((key) => profile[key]).find(
    (value) => typeof value === "string" && value.trim() !== "",
  );
  return { ...(typeof name === "string" ? { name: name.trim() } : {}), likes, dislikes };
}

const wordsOfKey = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .replace(/\b(?:likes?|loves?|wants?|is|has|dislikes?|hates?)\b/gi, "");
