import type { JsonSchema } from "../../core/json-schema/compile.ts";
import { TYPE_NAMES } from "./example.ts";

const KEY_WORDS = 4;

/** Words that ask for something and are no part of its name. */
const REQUEST =
  /^(?:please |extract |get |find |return |give |me |list |all |each |every |any |the |an? |of |its |their |and |or |whether |if |is |are |there |it )+/;
const TYPED =
  /\s?(?:[:=(]|\bas (?:an? )?|\ban? )\s?(string|text|number|float|integer|int|boolean|bool|list|array)\b\)?/;
const NUMERIC = /\b(?:how many|number of|count|amount|total|price|quantity|percentage|percent|age)\b/;
const LIST =
  /^(?:please |extract |get |find |return |give |me )*(?:all|each|every|list of|a list of|the list of)\b/;
const YES_NO = /^(?:please |extract |get |find |return )*(?:whether|if|is|are|has|have)\b/;
const POSSESSIVE = /(?<!\p{L})\p{L}{1,40}['’]s /gu;
/** `A JSON object with`: what the things are in, not one of them. */
const CONTAINER =
  /^[^:,\n]{0,40}\b(?:json|objects?|record|dictionary)\b[^:,\n]{0,40}? (?:with|containing|including|like) /;
const INTRODUCES = /^(?:return|extract|get|give|find|fields?|keys?|output|data|columns?)$/;
/** What follows tells which one is meant, not what it is. */
const WHICH = /\s(?:of|from|in|on|for|that|which|who|mentioned|given|by)\s/;

/** The schema that a description asks for: one key for each thing in its enumeration, null where it is not found. */
export function schemaOfDescription(description: string): JsonSchema {
  const entries = thingsOf(description).flatMap((thing) => {
    const key = keyOf(thing);
    return key === "" ? [] : [[key, schemaOfThing(thing)] as const];
  });
  const properties = Object.fromEntries(entries);
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The parts of the enumeration, without what introduces it: `return the following: a, b`. */
function thingsOf(description: string): string[] {
  const bare = description
    .toLowerCase()
    .replace(POSSESSIVE, "")
    .replace(CONTAINER, "")
    .replace(/["'`{}[\]*]/g, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
  const [head = "", ...tail] = bare.split(/:\s/);
  const isIntroduced =
    tail.length === 1 && (head.includes(" ") || INTRODUCES.test(head)) && !/[,;\n]/.test(head);
  return (isIntroduced ? (tail[0] ?? "") : bare)
    .split(/[,;\n]|\sand\s|\sas well as\s|\.(?:\s|$)/)
    .map((thing) => thing.trim().replace(/^(?:[-•]|\d+[.)])\s?/, ""))
    .filter(Boolean);
}

function keyOf(thing: string): string {
  const [named = ""] = thing.replace(TYPED, " ").split(":");
  const name = named
    .replace(/\b(?:how many|(?:the )?number of)\b/, " ")
    .trim()
    .replace(REQUEST, "")
    .split(WHICH)[0];
  const words = name?.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, KEY_WORDS).join("_");
}

function schemaOfThing(thing: string): JsonSchema {
  const named = TYPED.exec(thing)?.[1];
  if (named === "list" || named === "array" || (named === undefined && LIST.test(thing))) {
    return { type: "array", items: { type: "string" }, description: thing };
  }
  const guessed = YES_NO.test(thing) ? "boolean" : NUMERIC.test(thing) ? "number" : "string";
  return { type: [TYPE_NAMES[named ?? ""] ?? guessed, "null"], description: thing };
}
