import { luhn } from "./checksums.ts";
import type { NumberScheme } from "./numbers.ts";

type Issuer = {
  readonly name: string;
  /** First and last prefix, both of the same length. */
  readonly prefixes: readonly (readonly [string, string])[];
  readonly lengths: readonly number[];
};

const FROM_16_TO_19 = [16, 17, 18, 19];

// Ranges and lengths as the networks publish them under ISO/IEC 7812.
const ISSUERS: readonly Issuer[] = [
  { name: "Visa", prefixes: [["4", "4"]], lengths: [13, 16, 19] },
  {
    name: "Mastercard",
    prefixes: [
      ["51", "55"],
      ["2221", "2720"],
    ],
    lengths: [16],
  },
  {
    name: "American Express",
    prefixes: [
      ["34", "34"],
      ["37", "37"],
    ],
    lengths: [15],
  },
  {
    name: "Discover",
    prefixes: [
      ["6011", "6011"],
      ["644", "649"],
      ["65", "65"],
    ],
    lengths: FROM_16_TO_19,
  },
  {
    name: "Diners Club",
    prefixes: [
      ["300", "305"],
      ["3095", "3095"],
      ["36", "36"],
      ["38", "39"],
    ],
    lengths: [14, ...FROM_16_TO_19],
  },
  { name: "JCB", prefixes: [["3528", "3589"]], lengths: FROM_16_TO_19 },
  {
    name: "UnionPay",
    prefixes: [
      ["62", "62"],
      ["8100", "8171"],
    ],
    lengths: FROM_16_TO_19,
  },
  {
    name: "Maestro",
    prefixes: [
      ["5018", "5018"],
      ["5020", "5020"],
      ["5038", "5038"],
      ["5893", "5893"],
      ["6304", "6304"],
      ["6759", "6759"],
      ["6761", "6763"],
    ],
    lengths: [13, 14, 15, ...FROM_16_TO_19],
  },
  { name: "Mir", prefixes: [["2200", "2204"]], lengths: FROM_16_TO_19 },
  {
    name: "RuPay",
    prefixes: [
      ["508", "508"],
      ["60", "60"],
      ["82", "82"],
    ],
    lengths: [16],
  },
  {
    name: "Elo",
    prefixes: [
      ["504175", "504175"],
      ["506699", "506778"],
      ["509000", "509999"],
      ["636297", "636297"],
      ["636368", "636368"],
    ],
    lengths: [16],
  },
  {
    name: "Verve",
    prefixes: [
      ["506099", "506198"],
      ["507865", "507964"],
    ],
    lengths: [16, 18, 19],
  },
  { name: "InterPayment", prefixes: [["636", "636"]], lengths: FROM_16_TO_19 },
  { name: "InstaPayment", prefixes: [["637", "639"]], lengths: [16] },
  { name: "Dankort", prefixes: [["5019", "5019"]], lengths: [16] },
  { name: "Troy", prefixes: [["9792", "9792"]], lengths: [16] },
  {
    name: "Uzcard and Humo",
    prefixes: [
      ["5614", "5614"],
      ["8600", "8600"],
      ["9860", "9860"],
    ],
    lengths: [16],
  },
];

/**
 * The network that may have issued a card number of these digits, or undefined: the number has one of the network's
 * prefixes and lengths (ISO/IEC 7812) and passes the Luhn check.
 */
export function cardIssuer(digits: string): string | undefined {
  if (!luhn(digits)) return undefined;
  const issuer = ISSUERS.find(
    ({ prefixes, lengths }) =>
      lengths.includes(digits.length) &&
      prefixes.some(([first, last]) => {
        const prefix = digits.slice(0, first.length);
        return prefix >= first && prefix <= last;
      }),
  );
  return issuer?.name;
}

const GROUPINGS = ["4 4 4 4", "4 6 5", "4 6 4", "4 4 4 4 2", "4 4 4 4 3", "4 3 3 3", "4 4 4 3", "6 13"];

/** Card numbers, solid or in the groups in which they are embossed. */
export const CARDS: NumberScheme = {
  name: "payment card",
  kind: "card",
  shapes: [
    "13",
    "14",
    "15",
    "16",
    "17",
    "18",
    "19",
    ...[" ", "-", "."].flatMap((separator) =>
      GROUPINGS.map((grouping) => grouping.replaceAll(" ", separator)),
    ),
  ],
  valid: (digits) => cardIssuer(digits) !== undefined,
};
