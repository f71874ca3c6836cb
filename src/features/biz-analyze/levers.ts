/** What is known to move a figure: the means that serve an aim. */
export type Lever = { readonly aims: readonly string[]; readonly means: readonly string[] };

export const LEVERS: readonly Lever[] = [
  {
    aims: ["churn", "retention", "retain", "keep customers", "loyalty", "regulars", "repeat"],
    means: [
      "onboarding",
      "support",
      "loyalty",
      "training",
      "quality",
      "feedback",
      "service",
      "annual plan",
      "follow up",
    ],
  },
  {
    aims: [
      "more customers",
      "new customers",
      "growth",
      "grow",
      "leads",
      "awareness",
      "reach",
      "market share",
    ],
    means: [
      "sales",
      "salesperson",
      "marketing",
      "advertise",
      "ads",
      "referral",
      "partnership",
      "second location",
      "second shop",
      "online shop",
      "event",
    ],
  },
  {
    aims: ["profit", "margin", "profitable", "break even", "earn more"],
    means: [
      "price",
      "raise prices",
      "cost",
      "renegotiate",
      "supplier",
      "automate",
      "premium",
      "bundle",
      "upsell",
      "extend the menu",
    ],
  },
  {
    aims: ["cash", "runway", "liquidity", "survive", "solvent"],
    means: [
      "deposit",
      "prepay",
      "prepayment",
      "invoice sooner",
      "cut",
      "defer",
      "lease",
      "sell the",
      "grant",
      "loan",
    ],
  },
  {
    aims: ["save time", "faster", "efficiency", "efficient", "workload", "hours"],
    means: ["automate", "software", "tool", "outsource", "template", "delegate", "hire"],
  },
  {
    aims: ["risk", "safe", "certainty", "stability", "stable"],
    means: ["pilot", "trial", "test", "rent", "wait", "insurance", "small step", "contract"],
  },
];
