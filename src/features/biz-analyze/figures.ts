/** What a figure of a business text is, as far as the arithmetic asks. */
export const ROLES = {
  unitCost:
    /\b(?:unit cost|cost per unit|variable costs?|cost of goods|cogs|materials?|ingredients|costs? (?:us|me) (?:about )?(?:to make)?|to make|to produce|wholesale|per unit to)\b/i,
  fixedCost: /\b(?:fixed costs?|overheads?|rent|salaries|payroll|lease|running costs?)\b/i,
  ltv: /\b(?:ltv|lifetime value|worth over)\b/i,
  cac: /\b(?:cac|acquisition costs?|to acquire|to win a customer|per lead|per signup)\b/i,
  churn: /\b(?:churn|cancel|attrition|leave each month)/i,
  margin: /\bmargins?\b/i,
  growth: /\b(?:grow|grew|increas|rose|rising|up by)|\bup\b/i,
  decline: /\b(?:fell|fall|dropp?|declin|decreas|shrink|shrank)|\bdown\b/i,
  burn: /\b(?:burn|losing|lose|monthly loss)/i,
  cash: /\b(?:cash|in the bank|savings|reserves?|runway)\b/i,
  budget: /\b(?:budget|can spend|up to|afford)/i,
  investment:
    /\b(?:invest|upfront|up front|one-time|machine|equipment|setup|set-up|to open|renovat|build-out)/i,
  saved: /\b(?:saves?|saving|would save)\b/i,
  profit: /\b(?:profits?|net income|earnings)\b/i,
  revenue: /\b(?:revenues?|turnover|mrr|arr|takings|sales|income)\b/i,
  cost: /\b(?:costs?|expenses?|spend|pay)/i,
  price:
    /\b(?:prices?|priced|pricing|sell(?:s|ing)?|sold|charge|average order|ticket|per month|per seat|each)\b/i,
  units: /\b(?:units?|pieces|orders|cups|meals|bookings|a month|per month|a week|a day)\b/i,
  customers: /\b(?:customers?|users?|subscribers?|clients?|members?|guests?)\b/i,
} as const;

export type Role = keyof typeof ROLES;
export type Unit = "amount" | "percent" | "number";

/** A number of a text, with where it stands. */
export type Numeral = {
  readonly value: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
};
export type Figure = Numeral & { readonly role: Role; readonly unit: Unit };
/** The first figure of each role. */
export type Figures = Readonly<Partial<Record<Role, Figure>>>;

const ROLES_OF_UNIT: Readonly<Record<Unit, readonly Role[]>> = {
  amount: [
    "unitCost",
    "fixedCost",
    "ltv",
    "cac",
    "burn",
    "cash",
    "budget",
    "investment",
    "saved",
    "profit",
    "revenue",
    "cost",
    "price",
  ],
  percent: ["churn", "margin", "growth", "decline"],
  number: ["units", "customers"],
};

const CLAUSE_END = /[.;!?](?:\s|$)|\n|,\s|\s(?:and|but|while|whereas)\s/;
/** What stands before a number names it more often than what follows. */
const AFTER_PENALTY = 6;
/** These words stand with many figures: in a clause with a word of another role, that one counts. */
const VAGUE: ReadonlySet<Role> = new Set(["cost", "price", "revenue", "units"]);
const VAGUE_PENALTY = 25;

/** Names a number by the nearest word of a role in its clause; undefined where there is none. */
export function figureOf(text: string, numeral: Numeral, unit: Unit): Figure | undefined {
  const before = lastPart(text.slice(Math.max(0, numeral.start - REACH), numeral.start));
  const after = text.slice(numeral.end, numeral.end + REACH).split(CLAUSE_END)[0] ?? "";
  const [nearest] = ROLES_OF_UNIT[unit]
    .map((role) => ({ role, distance: distanceOf(role, before, after) }))
    .sort((a, b) => a.distance - b.distance);
  if (nearest === undefined || nearest.distance === Number.POSITIVE_INFINITY) return undefined;
  return { ...numeral, role: nearest.role, unit };
}

const REACH = 80;

const lastPart = (text: string): string => text.split(CLAUSE_END).at(-1) ?? "";

const distanceOf = (role: Role, before: string, after: string): number =>
  Math.min(distanceBack(before, ROLES[role]), distanceAhead(after, ROLES[role])) +
  (VAGUE.has(role) ? VAGUE_PENALTY : 0);

function distanceBack(before: string, words: RegExp): number {
  const all = [...before.matchAll(new RegExp(words.source, "gi"))];
  const last = all.at(-1);
  return last === undefined ? Number.POSITIVE_INFINITY : before.length - last.index - last[0].length;
}

function distanceAhead(after: string, words: RegExp): number {
  const match = words.exec(after);
  return match === null ? Number.POSITIVE_INFINITY : match.index + AFTER_PENALTY;
}
