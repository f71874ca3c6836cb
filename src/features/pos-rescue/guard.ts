/** Names of those who process cards, as words; some are point-of-sale systems as well. */
const PROVIDERS =
  /\b(?:square|sumup|sum up|i?zettle|stripe|paypal|venmo|cash ?app|zelle|clover|toast|shopify|helcim|stax|adyen|mollie|worldpay|revolut|mypos|my pos|dojo|tyro|elavon|payanywhere|authorize net|braintree|viva wallet|viva com|klarna|twint|wise|razorpay|paytm|phonepe|mercado pago|gocardless|flutterwave|paystack|payoneer|nexi|quickbooks payments|gopayment)\b/g;

const CARDS =
  /\b(?:cards?|payments?|pay|pays|paid|paying|tap|taps|contactless)\b(?! (?:reader|terminal|machine|slot)s?\b)/;

const TAKING = /\b(?:cards?|payments?|pay|paid|charge|charges)\b(?! (?:reader|terminal|machine|slot)s?\b)/;

/** What cards are processed with, or by whom. */
const MEANS =
  "(?:processors?|processing|readers?|terminals?|merchant accounts?|acquirers?|gateways?|providers?|psp|pdq|dongles?|swipers?|card machines?|payment (?:apps?|services?|platforms?|methods?|solutions?|devices?|accounts?|systems?|links?))";
const OTHER =
  "(?:second|secondary|another|other|different|alternate|alternative|backup|back up|spare|own|personal|separate|stand ?alone|third party|independent|mobile|portable|outside|external|private|extra|additional|temporary|borrowed|rented|new)";
/** Words between an adjective and its noun. */
const BETWEEN = "(?:(?!(?:in|on|at|to|for|from|with|into|and|or|the)\\b)[a-z0-9]+ ){0,3}";

/** Ways to take cards past a system's own processing. A text that matches all patterns of a row speaks of one. */
const OTHER_WAYS: readonly (readonly RegExp[])[] = [
  [new RegExp(`\\b${OTHER} ${BETWEEN}${MEANS}\\b`)],
  [
    /\b(?:switch|switching|change|changing|move|moving) (?:to |over to )?(?:your |the |their )?(?:processors?|providers?|acquirers?|gateways?)\b/,
  ],
  [/\bowner (?:direct|taken|run)\b|\bwork ?arounds?\b|\btap to pay\b|\bsoft ?pos\b|\bvirtual terminals?\b/],
  [
    /\b(?:payment|pay|checkout|invoice) (?:link|url|page)s?\b|\bpay ?by ?(?:link|phone|text)\b|\blinks? to pay\b/,
  ],
  [/\b(?:payment|card|wallet|banking|money) apps?\b/],
  [
    /\b(?:bypass|circumvent|sidestep|get around|go around|work around|outside|past|without) (?:[a-z0-9]+ ){0,3}(?:pos|point of sale|system|contract|clause|exclusivity|processors?|processing|vendor|till)\b/,
    CARDS,
  ],
  [/\b(?:direct|directly|privately|yourself|themselves|elsewhere|manually|by hand)\b/, CARDS],
  [/\b(?:phones?|smartphones?|iphones?|androids?|mobiles?|qr|invoices?)\b/, TAKING],
  [/\b(?:download|sign up|create an account|open an account)\b/, TAKING],
];

/** How those who take cards in the meantime put it. The system's own offline mode is no other way. */
const MEANWHILE = /\b(?:instead|meanwhile|meantime|for now|until then|temporarily)\b/;
const OWN_OFFLINE_MODE = /\boffline\b/;

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** Says what of a rescue may be repeated where the contract may bind a shop to its system's own card processing. */
export class CardPaymentGuard {
  /** The shop's own system may be named, although others take cards with it. */
  readonly #ownSystem: string | undefined;

  /** `pos` is the shop's system; where it is `unknown`, it is the first one that the trouble names. */
  constructor(pos: string, trouble: string) {
    const named = plain(pos).match(PROVIDERS)?.[0];
    this.#ownSystem = named ?? (plain(pos) === "unknown" ? plain(trouble).match(PROVIDERS)?.[0] : undefined);
  }

  /** The texts that speak of no other way to take cards than the system's own. */
  keep(texts: readonly string[]): string[] {
    return texts.filter((text) => !this.#namesOtherWay(plain(text)));
  }

  /** A text without its sentences that speak of another way to take cards; empty where none is left. */
  keepSentences(text: string): string {
    return this.keep([...sentences.segment(text)].map(({ segment }) => segment))
      .join("")
      .trim();
  }

  #namesOtherWay(text: string): boolean {
    const others = (text.match(PROVIDERS) ?? []).filter((provider) => provider !== this.#ownSystem);
    return (
      others.length > 0 ||
      OTHER_WAYS.some((row) => row.every((pattern) => pattern.test(text))) ||
      (MEANWHILE.test(text) && CARDS.test(text) && !OWN_OFFLINE_MODE.test(text))
    );
  }
}

/** A text as its bare words: small letters without accents, no punctuation, nothing invisible; no stripe of a card. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/\b(?:magnetic|mag) stripes?\b/g, " ")
    .trim();
