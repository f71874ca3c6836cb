/** What a trouble says besides: it narrows the cause. */
export type Circumstance = {
  readonly any: readonly string[];
  readonly none?: readonly string[];
  /** A sentence for the diagnosis. */
  readonly means: string;
  /** A step that comes first. */
  readonly step: string;
};

/** Looked for by the large tier. */
export const CIRCUMSTANCES: readonly Circumstance[] = [
  {
    any: [
      "all tills",
      "all terminals",
      "every till",
      "every terminal",
      "all registers",
      "every register",
      "all of them",
      "both tills",
      "all stations",
      "whole shop",
    ],
    means:
      "It is on all devices at once, so what they share (network, account, service) is likelier than any one of them.",
    step: "Leave the single devices alone first, and check what all of them share: power, network, account, status page.",
  },
  {
    any: [
      "only one",
      "one till",
      "one terminal",
      "one register",
      "the other one works",
      "others work",
      "other tills work",
      "others are fine",
    ],
    means: "Others still work, so the fault is in that one device or its cable.",
    step: "Move sales to a till that works, and exchange cable and socket with it: does the fault move along?",
  },
  {
    any: ["since the update", "after the update", "updated last night", "after updating", "new version"],
    means: "It began with an update, which makes a changed setting or driver the first suspect.",
    step: "Stop updates on the devices that still work.",
  },
  {
    any: [
      "moved",
      "new router",
      "changed the wifi",
      "new internet",
      "renovation",
      "rearranged",
      "new password",
    ],
    means: "Something was moved or exchanged before it began: addresses and passwords may no longer fit.",
    step: "Undo the last change to cables, router or passwords, if it can be undone within minutes.",
  },
  {
    any: [
      "sometimes",
      "intermittent",
      "intermittently",
      "on and off",
      "now and then",
      "random",
      "randomly",
      "every few minutes",
      "keeps dropping",
    ],
    means: "It comes and goes, which speaks for a loose cable, weak radio or an address given twice.",
    step: "Write down each time that it happens: a pattern (full house, microwave, top of the hour) names the cause.",
  },
  {
    any: [
      "queue",
      "line out the door",
      "customers waiting",
      "rush",
      "lunch",
      "dinner service",
      "full house",
      "saturday",
      "friday",
      "busy",
    ],
    means: "Customers are waiting, so selling comes before repairing.",
    step: "Put one person on cash sales and another on the repair; a sign at the door saves discussions.",
  },
  {
    any: [
      "spilled",
      "water",
      "coffee",
      "dropped",
      "fell",
      "cracked",
      "smoke",
      "burning",
      "burnt smell",
      "hot",
    ],
    means: "The device may be damaged: treat it as unsafe.",
    step: "Unplug the device at the wall, and do not switch it on again before it has been checked.",
  },
];
