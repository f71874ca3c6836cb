import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineOffline } from "../../core/models/offline.ts";
import { keyPhrases } from "../../offline/text/key-phrases.ts";
import { applyRules, type Fired } from "../../offline/text/rules.ts";
import { CIRCUMSTANCES } from "./circumstances.ts";
import type { Exclusivity } from "./exclusivity.ts";
import type { Trouble } from "./trouble.ts";
import { CARD_TROUBLES } from "./troubles/cards.ts";
import { CONNECTION_TROUBLES } from "./troubles/connections.ts";
import { DATA_TROUBLES } from "./troubles/data.ts";
import { DEVICE_TROUBLES } from "./troubles/devices.ts";

type Asked = { readonly trouble: string; readonly pos: string; readonly exclusivity: Exclusivity };
type Rescue = Record<"plan" | "cautions" | "next", string[]> & { readonly diagnosis: string };

const RULES = [...CARD_TROUBLES, ...CONNECTION_TROUBLES, ...DEVICE_TROUBLES, ...DATA_TROUBLES].map(
  (gives) => ({
    any: gives.any,
    ...(gives.none === undefined ? {} : { none: gives.none }),
    gives,
  }),
);
const CIRCUMSTANCE_RULES = CIRCUMSTANCES.map((gives) => ({ any: gives.any, gives }));

/** How many troubles are treated: the large tier follows up what else may be the cause. */
const TROUBLES = { small: 1, large: 3 } as const;
/** Of a second and a third trouble, only the first steps. */
const FURTHER_STEPS = 2;
const QUOTED_CHARS = 160;
const ERROR_CODE = /\b(?:error|code|err)[ :#]{0,3}([a-z]{0,4}-?\d{1,6})\b/i;

/** Matches the trouble with a table of what tills suffer from, the likeliest first. */
export default defineOffline(({ data, tier }) => {
  const { trouble, pos, exclusivity } = data as Asked;
  const fired = applyRules(trouble, RULES).sort((a, b) => weight(b) - weight(a));
  const system = pos === "unknown" ? "the system" : pos;
  const known = fired.slice(0, TROUBLES[tier]);
  const rescue = known.length === 0 ? unknownTrouble(trouble) : rescueOf(known);
  const seen = tier === "large" ? applyRules(trouble, CIRCUMSTANCE_RULES).map(({ gives }) => gives) : [];
  const named = (text: string): string => text.replaceAll("{pos}", system);
  const all = (texts: readonly string[]): string[] => [...new Set(texts)].map(named);
  return {
    diagnosis: named([rescue.diagnosis, ...seen.map(({ means }) => means), ...errorCode(trouble)].join(" ")),
    plan: all([...seen.map(({ step }) => step), ...rescue.plan]),
    cautions: all(rescue.cautions),
    next: all([...rescue.next, ...clauseSteps(exclusivity)]),
    ...(exclusivity === "no"
      ? { workaround: named(workaround(known.some(({ gives }) => gives.stopsCards))) }
      : {}),
  };
});

/** A term of several words tells more than one of a single word, and a trouble that is said twice more than once. */
const weight = ({ terms, evidence }: Fired<Trouble>): number =>
  terms.reduce((sum, term) => sum + term.split(" ").length, 0) + evidence.length;

function rescueOf([first, ...further]: readonly Fired<Trouble>[]): Rescue {
  const rows = [first, ...further].flatMap((one) => one?.gives ?? []);
  const main = rows[0];
  if (main === undefined || first === undefined) throw new Error("no trouble was recognised");
  const others = rows.slice(1);
  const quoted = cutCodePoints(first.evidence[0] ?? "", QUOTED_CHARS).replace(/[\s.!?]{1,20}$/, "");
  return {
    diagnosis: [
      main.diagnosis,
      `What points to it: "${quoted}".`,
      main.check,
      ...others.map(otherCause),
    ].join(" "),
    plan: [...main.plan, ...others.flatMap(({ plan }) => plan.slice(0, FURTHER_STEPS))],
    cautions: rows.flatMap(({ cautions }) => cautions),
    next: rows.flatMap(({ next }) => next),
  };
}

const otherCause = ({ diagnosis, check }: Trouble): string => `It may also be this: ${diagnosis} ${check}`;

/** Nothing that usually fails is named: the text's own words, and the way to narrow it down. */
function unknownTrouble(trouble: string): Rescue {
  const topics = keyPhrases(trouble, FURTHER_STEPS + 1).map(({ phrase }) => phrase);
  const about = topics.length === 0 ? "nothing that could be looked up" : topics.join(", ");
  return {
    diagnosis: `The text names no part of a till that usually fails. It speaks of ${about}. The cause must be narrowed down first.`,
    plan: [
      `Write down what exactly happens with ${topics[0] ?? "it"}, since when, on which devices, and the exact words on the screen.`,
      "Try the same sale on another till: if it works there, the fault is in the device, else in the account or the network.",
      "Restart {pos} on the device, then the device itself, and try again after each.",
      "Open a web page on the device to see that it has a connection, and read the status page of {pos}.",
    ],
    cautions: ["Before anything is reset or installed again, see that no sales are queued on the device."],
    next: ["Ask again with these notes, or give them to the support of {pos}."],
  };
}

function errorCode(trouble: string): string[] {
  const code = ERROR_CODE.exec(trouble)?.[1];
  return code === undefined
    ? []
    : [`The screen names the code ${code}: look it up in the help of {pos} before anything else.`];
}

/** What is to be found out about the contract, before more can be said. */
function clauseSteps(exclusivity: Exclusivity): string[] {
  if (exclusivity === "no") return [];
  return exclusivity === "yes"
    ? ["Ask the support of {pos} for its own procedure during a failure: the contract binds the shop to it."]
    : [
        "Read in the contract with {pos} whether it has an exclusivity clause, and say so when you ask again.",
      ];
}

function workaround(cardsStopped: boolean): string {
  const begin = cardsStopped
    ? "Until cards go through {pos} again, the owner can take them directly"
    : "Cards still go through {pos}; should they stop, the owner can take them directly";
  return (
    `${begin}, as the contract does not bind the shop: with a card reader or a payment link of the owner's own ` +
    "merchant account at another provider, on a phone with mobile data. Ring each sale up in {pos}, or on numbered " +
    "slips, as paid by other means with time and amount, so that the day's takings agree; give a receipt; stop as soon " +
    "as a test sale goes through {pos}."
  );
}
