import type { Trouble } from "../trouble.ts";

/** Troubles with card payments. */
export const CARD_TROUBLES: readonly Trouble[] = [
  {
    any: [
      "declined",
      "decline",
      "declining",
      "payment fails",
      "payment failed",
      "cards fail",
      "not authorised",
      "not authorized",
      "authorization failed",
      "transaction failed",
      "payment error",
      "cards rejected",
    ],
    stopsCards: true,
    diagnosis: "Payments reach the reader and are refused on the way to the bank.",
    check:
      "Is it every card, or one bank's, or one customer's? Every card points to the processor or the merchant account, one card to its bank.",
    plan: [
      "Try two cards of different banks with a small amount, and note the exact decline code of each.",
      "Look at the status page of {pos} and its processor: a running outage explains every decline at once.",
      "Open the dashboard of {pos} and look for a hold, an expired document or a limit on the merchant account.",
      "Check date and time of the till: a clock that is minutes off makes the bank refuse.",
      "Take cash for the refused sales, and keep the orders open rather than deleting them.",
    ],
    cautions: [
      "A decline can still leave a pending hold on the customer's account: check before you charge again.",
      "Do not split an amount to get below a limit.",
    ],
    next: [
      "Give support the decline codes, the last four digits and the times, nothing more of the card.",
      "Reconcile today's declined sales with the processor's report in the evening.",
    ],
  },
  {
    any: [
      "card reader",
      "terminal",
      "pin pad",
      "pinpad",
      "chip reader",
      "card machine",
      "contactless",
      "reader",
      "swipe",
    ],
    none: ["printer"],
    stopsCards: true,
    diagnosis: "The card reader has lost its connection to {pos}, or has stopped responding.",
    check:
      "Does the reader's own screen show that it is connected? If it does, the fault is between reader and till; if it does not, it is the reader's power or network.",
    plan: [
      "Look at the reader's screen and battery, and put it on its charger or reseat its cable: it should light up within a minute.",
      "Restart the reader by its power button, wait until it says that it is ready, and try a card of small amount.",
      "Check that reader and till are in the same network, or that Bluetooth is on and the reader stands within two metres of the till.",
      "Close {pos} completely and open it again, then look in its device settings whether the reader is listed as connected.",
      "As the last step, remove the reader from {pos} and pair it again; a test sale of the smallest amount must go through and be voided.",
    ],
    cautions: [
      "Do not charge a card again before the transaction list shows that the first attempt failed.",
      "Pairing again can drop payments that the reader has stored: let it send them first.",
      "Never write card numbers down.",
    ],
    next: [
      "Note the reader's serial number and firmware version for {pos} support.",
      "Keep a charged cable at the till and restart the reader once a day, before opening.",
    ],
  },
  {
    any: [
      "charged twice",
      "double charge",
      "double charged",
      "duplicate charge",
      "duplicate payment",
      "duplicate transaction",
      "charged two times",
    ],
    stopsCards: false,
    diagnosis: "A payment that had gone through was sent again, because the till did not hear of it.",
    check:
      "Does the transaction list show two captured payments, or one captured and one pending? A pending one falls away by itself.",
    plan: [
      "Find both payments in the transaction list of {pos} by amount, time and last four digits.",
      "Where both are captured, refund exactly one of them, and print or mail the receipt of the refund.",
      "Where one is pending only, void it or tell the customer when it will fall away.",
      "Stop charging again on a time-out: look at the transaction list first, each time.",
    ],
    cautions: [
      "Do not give the money back in cash: the card refund could follow, and it would be paid twice.",
      "Refund to the same card only.",
    ],
    next: [
      "List all pairs of equal amounts of today within five minutes, and settle each.",
      "Tell support the times: time-outs at the reader are usually the network's.",
    ],
  },
  {
    any: ["chargeback", "charge back", "dispute", "disputed payment", "retrieval request"],
    stopsCards: false,
    diagnosis: "A customer's bank has taken a payment back, and the time to answer is running.",
    check: "What is the reason code of the dispute? It decides which evidence counts.",
    plan: [
      "Open the dispute in the dashboard of {pos} and note its reason code, its amount and the last day to answer.",
      "Collect what fits the code: signed receipt, itemised order, proof of delivery, the refund policy as shown, messages with the customer.",
      "Call the customer where you know them: a withdrawn dispute is the quickest end.",
      "Upload everything at once before the last day; most processors take one answer only.",
    ],
    cautions: [
      "Do not refund a payment that is under dispute: the money would be lost twice.",
      "A missed deadline is a lost dispute, whoever is right.",
    ],
    next: [
      "Count the disputes of the last three months: near one percent of payments, processors add fees or close accounts.",
      "Put the shop's trading name into the text of the card statement, so that customers recognise it.",
    ],
  },
  {
    any: [
      "payout",
      "payouts",
      "deposit missing",
      "deposits",
      "settlement",
      "batch",
      "funds held",
      "money not arrived",
      "not been paid out",
      "settle",
    ],
    stopsCards: false,
    diagnosis: "Payments are taken, and the money has not been passed on to the bank account.",
    check:
      "Does the payout stand as sent in the dashboard? Then it is the bank's; if it is on hold, it is the processor's.",
    plan: [
      "Close the open batch in {pos} and note its number and total.",
      "Look in the dashboard at the payout's state, its expected day and the last four digits of the bank account.",
      "Clear what it asks for: an identity document, a changed bank account, a verification of takings.",
      "Compare the payout with takings less fees, refunds and tips, day by day, to find which day is missing.",
    ],
    cautions: ["Answer requests for documents only within the dashboard, never by a link in a mail."],
    next: ["Write to support with batch number, date and amount, and ask for the release date in writing."],
  },
  {
    any: [
      "contract",
      "early termination",
      "termination fee",
      "locked in",
      "lock-in",
      "exclusivity",
      "lease",
      "switch provider",
      "cancel our plan",
      "cancellation fee",
      "price increase",
      "fees went up",
    ],
    stopsCards: false,
    diagnosis: "The question is what the contract with {pos} allows, and what leaving or changing it costs.",
    check:
      "Which document was signed last, and does it name a term, a notice period and a fee for leaving early?",
    plan: [
      "Find the signed agreement and every later amendment, and mark term, renewal, notice period, fees and the clause on card processing.",
      "Work out what leaving costs on each date: remaining months, hardware lease, early-termination fee.",
      "Ask {pos} in writing for the current terms and a waiver; name the outage or the increase as the reason.",
      "Export catalogue, customers and sales before you give notice: access often ends with the contract.",
    ],
    cautions: [
      "Change nothing in how cards are processed before somebody has read the clause.",
      "A hardware lease often runs apart from the software, with a term of its own.",
    ],
    next: [
      "Put the notice date into the calendar, thirty days ahead.",
      "Have a lawyer read the clause where the fee is large.",
    ],
  },
];
