import type { Trouble } from "../trouble.ts";

/** Troubles with the program and what is kept in it. */
export const DATA_TROUBLES: readonly Trouble[] = [
  {
    any: ["update", "updated", "upgrade", "new version", "after updating", "firmware"],
    none: ["menu not updating", "price not updating"],
    stopsCards: false,
    diagnosis: "It began with an update: the new version does not fit the device, a driver or a setting.",
    check: "Does a till that was not updated work? Then leave it as it is, and sell there.",
    plan: [
      "Note the version of {pos} and of the operating system, on a till that works and on one that does not.",
      "Stop automatic updates on every till that still works.",
      "Restart the updated till and let it finish: a second restart often completes the update.",
      "Install the pending update of the reader or the printer as well: they go together.",
      "Ask support whether the version can be rolled back, and how queued sales survive it.",
    ],
    cautions: [
      "Do not reinstall before queued sales are sent.",
      "Do not update the remaining tills during opening hours.",
    ],
    next: ["Set updates to the night before your quietest day, one till first."],
  },
  {
    any: ["tax", "vat", "gst", "sales tax", "wrong tax", "tax rate"],
    stopsCards: false,
    diagnosis: "Items or orders carry the wrong tax rate.",
    check:
      "Is it one item, one kind of order (such as take-away), or everything? That is where the rate is set.",
    plan: [
      "Find one wrong receipt, and note item, kind of order, rate charged and rate due.",
      "Look at the tax setting in that order: location, category, item, kind of order; the most specific one wins.",
      "Correct it in the dashboard, sync, and ring up the same item to see the right tax on the receipt; void that sale.",
      "Export the sales since the rate changed, and add up tax charged against tax due.",
    ],
    cautions: [
      "Tax charged too much is owed to the customer or to the office, not to the shop.",
      "Do not change closed receipts: correct them by refund and new sale.",
    ],
    next: ["Give the accountant the export and the day of the correction."],
  },
  {
    any: [
      "menu",
      "price wrong",
      "wrong price",
      "modifier",
      "item missing",
      "items missing",
      "catalog",
      "catalogue",
      "discount",
      "happy hour",
      "button missing",
    ],
    stopsCards: false,
    diagnosis: "The catalogue on the till is not the one that was meant.",
    check: "Is it right in the dashboard? Then it has not arrived at the till; if not, it was changed there.",
    plan: [
      "Compare one wrong item in the dashboard and on the till.",
      "Look in the change log who changed it and when, and take that change back.",
      "Check which menu is active for this hour, this till and this kind of order.",
      "Publish the menu again and sync; the item must be right on every till.",
      "Sell it meanwhile as an open item with its name and right price.",
    ],
    cautions: [
      "Honour a price that was shown to the customer.",
      "Do not delete items with sales: archive them, or the reports lose their names.",
    ],
    next: ["Give the right to change prices to two people only.", "Export the catalogue once a week."],
  },
  {
    any: [
      "report",
      "totals",
      "doesn't balance",
      "does not balance",
      "cash short",
      "end of day",
      "z report",
      "closing",
      "reconcile",
      "tips missing",
      "tips",
    ],
    stopsCards: false,
    diagnosis: "The day's figures do not agree with what was taken.",
    check:
      "Is the difference equal to one payment, one refund or one payout of cash? Such a difference has one cause.",
    plan: [
      "Write down the difference for each kind of payment: cash, card, others.",
      "Look for one sale, refund, void or cash payout of exactly that amount.",
      "Check that the report's hours and time zone are those of the shift, and that no till is still open.",
      "Look for sales that are still queued on a till, and for tips that were not adjusted.",
      "Count the drawer again with a second person, and book the rest as over or short with a note.",
    ],
    cautions: [
      "Do not force figures to agree by made-up sales.",
      "Adjust tips before the batch is closed: afterwards they are lost.",
    ],
    next: ["Close each shift with a blind count.", "Keep the report and the note for the accountant."],
  },
  {
    any: ["power cut", "power outage", "no power", "power failure", "blackout", "electricity"],
    stopsCards: true,
    diagnosis: "There is no power, so tills, router and readers run on batteries or not at all.",
    check: "Which of till, router and reader still run? The first that is dark decides what can be sold.",
    plan: [
      "Save what runs: lower the brightness, unplug what is not needed, and use devices with batteries.",
      "Put the router on a battery first: without it, a running till has no connection.",
      "Sell in offline mode, or for cash with numbered slips of time, items and amount.",
      "When power is back, start router, printers and tills in this order, and wait for queued sales to be sent.",
    ],
    cautions: [
      "Do not switch everything on at once: the surge trips the fuse again.",
      "Check fridges and their log before food is sold.",
    ],
    next: ["Buy a small battery supply for router and main till; thirty minutes are enough."],
  },
  {
    any: ["gift card", "loyalty", "points", "voucher", "coupon"],
    stopsCards: false,
    diagnosis: "Balances of gift cards, points or vouchers are not read or not booked.",
    check: "Does the dashboard show the right balance? Then it is the till; if not, it was never booked.",
    plan: [
      "Look the customer or the voucher up in the dashboard by its number.",
      "Note number, balance shown and amount wanted on a slip, and let a manager sign it.",
      "Grant the amount as a discount with that number as its reason, and correct the balance later.",
      "Sync the till and try the same number again.",
    ],
    cautions: [
      "Redeem no voucher twice: mark it at once.",
      "Do not sell new ones until a test one can be redeemed.",
    ],
    next: ["List the slips and correct each balance in the dashboard the same day."],
  },
];
