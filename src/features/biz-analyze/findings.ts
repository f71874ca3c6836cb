import type { Figure, Figures } from "./figures.ts";

/** What follows from the figures of a text. */
export type Finding = {
  /** The arithmetic, as a sentence. */
  readonly says: string;
  /** Whether it speaks for the business as it is (1), against it (-1), or for neither. */
  readonly sign: -1 | 0 | 1;
  readonly action: string;
};

/** What CAC may be of LTV at most, as investors take it: a third. */
const LTV_PER_CAC = 3;
const RUNWAY_MONTHS = 6;
const PAYBACK_MONTHS = 24;
const THIN_MARGIN = 0.1;
const HIGH_CHURN_PERCENT = 5;

const RULES: readonly ((figures: Figures) => Finding | undefined)[] = [
  contribution,
  result,
  runway,
  acquisition,
  payback,
  affordability,
  churn,
  falling,
  growing,
];

/** Everything that the figures allow to work out, the gravest first. */
export const findingsOf = (figures: Figures): Finding[] =>
  RULES.flatMap((rule) => rule(figures) ?? []).sort((a, b) => a.sign - b.sign);

function contribution({ price, unitCost, fixedCost, units }: Figures): Finding | undefined {
  if (price === undefined || unitCost === undefined) return undefined;
  const each = price.value - unitCost.value;
  const share = percent(each / price.value);
  if (each <= 0) {
    return {
      says: `Each sale at ${price.text} costs ${unitCost.text} and loses ${money(-each, price)}, so more sales lose more.`,
      sign: -1,
      action: `Raise the price above ${unitCost.text} or bring the cost of each sale below ${price.text}, before anything else is done to sell more.`,
    };
  }
  if (fixedCost === undefined) {
    return {
      says: `Each sale leaves ${money(each, price)} of ${price.text} (${share}) towards fixed costs.`,
      sign: each / price.value < THIN_MARGIN ? -1 : 1,
      action: `Add up the fixed costs, and divide them by ${money(each, price)} to know how many sales break even.`,
    };
  }
  const needed = Math.ceil(fixedCost.value / each);
  const reached = units === undefined ? undefined : units.value >= needed;
  return {
    says:
      `Each sale leaves ${money(each, price)} (${share}), so fixed costs of ${fixedCost.text} are covered from ${needed} sales on` +
      (reached === undefined ? "." : `; ${units?.text ?? ""} are ${reached ? "enough" : "too few"}.`),
    sign: reached === undefined ? 0 : reached ? 1 : -1,
    action:
      reached === true
        ? `Keep sales above ${needed}.`
        : `Plan how to reach ${needed} sales, or lower the ${fixedCost.text} of fixed costs.`,
  };
}

function result({ revenue, cost, profit }: Figures): Finding | undefined {
  if (revenue === undefined || revenue.value === 0) return undefined;
  const left = profit?.value ?? (cost === undefined ? undefined : revenue.value - cost.value);
  if (left === undefined) return undefined;
  const share = left / revenue.value;
  return {
    says:
      profit === undefined
        ? `Revenue of ${revenue.text} less costs of ${cost?.text ?? ""} leaves ${money(left, revenue)} (${percent(share)}).`
        : `A profit of ${profit.text} is ${percent(share)} of revenue of ${revenue.text}.`,
    sign: share < THIN_MARGIN ? -1 : 1,
    action:
      share < THIN_MARGIN
        ? "List the three largest costs and what each is needed for; end or renegotiate one of them this month."
        : `Set aside a part of the ${money(left, revenue)} that is left for what the goal needs.`,
  };
}

function runway({ cash, burn }: Figures): Finding | undefined {
  if (cash === undefined || burn === undefined || burn.value <= 0) return undefined;
  const months = cash.value / burn.value;
  return {
    says: `Cash of ${cash.text} at a loss of ${burn.text} lasts ${number(months)} periods.`,
    sign: months < RUNWAY_MONTHS ? -1 : 0,
    action:
      months < RUNWAY_MONTHS
        ? `Cut the loss of ${burn.text} or bring in money before ${number(months)} periods are over.`
        : "Review cash against loss once a month.",
  };
}

function acquisition({ ltv, cac }: Figures): Finding | undefined {
  if (ltv === undefined || cac === undefined || cac.value <= 0) return undefined;
  const ratio = ltv.value / cac.value;
  const isGood = ratio >= LTV_PER_CAC;
  return {
    says: `A customer brings ${ltv.text} and costs ${cac.text} to win: ${number(ratio)} to 1, where ${LTV_PER_CAC} to 1 is healthy.`,
    sign: isGood ? 1 : -1,
    action: isGood
      ? "Spend more on the channel that wins these customers, in steps, and watch the cost of each."
      : "Stop the dearest channel first, and work on keeping customers longer.",
  };
}

function payback({ investment, saved, profit }: Figures): Finding | undefined {
  const gain = saved ?? profit;
  if (investment === undefined || gain === undefined || gain.value <= 0) return undefined;
  const periods = investment.value / gain.value;
  return {
    says: `An investment of ${investment.text} is paid back by ${gain.text} a period after ${number(periods)} periods.`,
    sign: periods > PAYBACK_MONTHS ? -1 : 1,
    action: `Confirm the ${gain.text} with a trial before the ${investment.text} are spent.`,
  };
}

function affordability({ budget, cost, investment }: Figures): Finding | undefined {
  const needed = investment ?? cost;
  if (budget === undefined || needed === undefined) return undefined;
  const left = budget.value - needed.value;
  return {
    says:
      left >= 0
        ? `${needed.text} fit the budget of ${budget.text}, with ${money(left, budget)} to spare.`
        : `${needed.text} exceed the budget of ${budget.text} by ${money(-left, budget)}.`,
    sign: left >= 0 ? 1 : -1,
    action:
      left >= 0
        ? `Reserve ${needed.text} and keep ${money(left, budget)} for what goes wrong.`
        : `Find ${money(-left, budget)} more, or a smaller version within ${budget.text}.`,
  };
}

function churn({ churn: lost, price }: Figures): Finding | undefined {
  if (lost === undefined || lost.value <= 0) return undefined;
  const periods = 100 / lost.value;
  const worth =
    price === undefined ? "" : `, which at ${price.text} a period are ${money(price.value * periods, price)}`;
  return {
    says: `Churn of ${lost.text} means that a customer stays ${number(periods)} periods on average${worth}.`,
    sign: lost.value > HIGH_CHURN_PERCENT ? -1 : 1,
    action: "Ask ten customers who left why they did, and mend the reason that comes first.",
  };
}

function growing({ growth, decline, revenue }: Figures): Finding | undefined {
  if (growth === undefined) return undefined;
  const isOnly = decline === undefined;
  return {
    says: `${isOnly ? "The trend" : "One trend"} is up by ${growth.text}${isOnly ? onwards(revenue, 1 + growth.value / 100) : ""}.`,
    sign: 1,
    action: `Find out what the ${growth.text} come from, and do more of that.`,
  };
}

function falling({ growth, decline, revenue }: Figures): Finding | undefined {
  if (decline === undefined) return undefined;
  const isOnly = growth === undefined;
  return {
    says: `${isOnly ? "The trend" : "One trend"} is down by ${decline.text}${isOnly ? onwards(revenue, 1 - decline.value / 100) : ""}.`,
    sign: -1,
    action: `Find out which product or customer the ${decline.text} come from.`,
  };
}

/** Where a trend leads; with two of them, nothing says which is the revenue's. */
const onwards = (revenue: Figure | undefined, factor: number): string =>
  revenue === undefined
    ? ""
    : `: ${revenue.text} would become ${money(revenue.value * factor, revenue)} after one more such period`;

/** An amount with the currency sign of another one. */
const money = (value: number, { text }: Figure): string =>
  `${/[$€£¥]/.exec(text)?.[0] ?? ""}${number(value)}`;

const number = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 });
const percent = (share: number): string =>
  `${(share * 100).toLocaleString("en-US", { maximumFractionDigits: 1 })}%`;
