import { describe, expect, it } from "vitest";
import { CardPaymentGuard } from "../../../src/features/pos-rescue/guard.ts";
import { testedCapability } from "../../support/capability.ts";
import { scriptedModels } from "../../support/model-answers.ts";

/** Ways in which a model may propose to take cards past the system's own processing. */
const PROPOSALS = [
  "Take cards directly with your own Square reader.",
  "Use a second card processor until it works.",
  "Use another card terminal from a different bank.",
  "Set up a payment link and text it to the customer.",
  "Switch to SumUp for tonight.",
  "Let customers tap to pay on the owner's iPhone.",
  "Use the owner-direct workaround.",
  "Open PayPal and send an invoice that is paid by card.",
  "Charge the card on your phone with a mobile card app.",
  "Show a QR code at which guests can pay.",
  "Bypass the processor and run cards elsewhere.",
  "Take card payments outside of the POS for now.",
  "Any other merchant account will do.",
  "Rent a stand-alone terminal from your bank.",
  "Key the cards in by hand on a virtual terminal.",
  "Do NOT use a backup card reader (it works, though).",
  "Use S\u200bquare.",
  "USE STRIPE!",
  "Use Zéttle.",
  "Take their cards with Venmo instead.",
  "Accept the payments yourself.",
  "Download a card app and sign in with your bank.",
  "Borrow a different make of card reader.",
  "Change processors today.",
  "Create an account with a bank that takes card payments the same day.",
];

/** What a till needs in trouble, and no other way to take cards. */
const HARMLESS = [
  "Restart the card reader and wait until it says ready.",
  "Switch to offline mode and take cards meanwhile; the sales are sent later.",
  "Take cash, and write numbered slips.",
  "Do not charge a card again before the first attempt is known to have failed.",
  "Move to the till at the bar, which works, and sign in there.",
  "Wipe the reader's magnetic stripe head.",
  "Look at the status page, and note the incident.",
  "Check the clock of the till.",
  "Compare the payout with takings less fees.",
  "Switch the terminal off, wait ten seconds and switch it on.",
  "Change the reader's cable.",
  "Put a new roll of paper into the terminal.",
  "Restart the app on the iPad, then try a payment of one cent.",
  "Payments fail because the app has lost its connection.",
  "Install the pending update of the card reader.",
];

const HARMLESS_ANSWER = {
  diagnosis: "The network is down.",
  plan: ["Restart the router."],
  cautions: [],
  next: [],
};

describe("the guard", () => {
  const guard = new CardPaymentGuard("unknown", "The till is dead.");

  it.each(PROPOSALS)("takes out: %s", (text) => {
    expect(guard.keep([text])).toEqual([]);
    expect(guard.keepSentences(`The till is offline. ${text}`)).toBe("The till is offline.");
  });

  it.each(HARMLESS)("leaves in: %s", (text) => {
    expect(guard.keep([text])).toEqual([text]);
  });

  it("lets the shop's own system be named, and no other", () => {
    const own = new CardPaymentGuard("Clover Station", "It hangs. Could I use Square?");
    expect(own.keep(["Restart Clover.", "Open Square."])).toEqual(["Restart Clover."]);
  });

  it("takes the first system that the trouble names for the shop's own where none is given", () => {
    const own = new CardPaymentGuard("unknown", "Our Toast tills hang. Could I use Square?");
    expect(own.keep(["Restart Toast.", "Open Square."])).toEqual(["Restart Toast."]);
    const other = new CardPaymentGuard("Aloha", "Aloha hangs. Could I use Square?");
    expect(other.keep(["Open Square."])).toEqual([]);
  });
});

const capabilities = await Promise.all(["pos-rescue", "pos-rescue-smart"].map(testedCapability));
const hostile = (text: string) => ({
  diagnosis: `The network is down. ${text}`,
  plan: ["Restart the router.", text],
  cautions: [text, "Keep the slips."],
  next: [text],
  workaround: text,
});

describe.each(capabilities)("a hostile model of $capability.slug", ({ run }) => {
  it.each(["unknown", "yes", "not sure", ""])(
    "gets no workaround through when exclusivity is %j",
    async (exclusivity) => {
      for (const text of PROPOSALS) {
        const output = await run(
          { trouble: "Offline.", exclusivity },
          { models: scriptedModels(hostile(text)) },
        );
        expect(output).toMatchObject({
          rescue: {
            diagnosis: "The network is down.",
            plan: ["Restart the router."],
            workaround: null,
            cautions: ["Keep the slips."],
          },
          next: [],
        });
        expect(JSON.stringify(output)).not.toContain(text);
      }
    },
  );

  it("is asked again when it proposes nothing else, and then given up", async () => {
    const [text = ""] = PROPOSALS;
    const only = { diagnosis: text, plan: [text], cautions: [], next: [], workaround: text };
    const once = scriptedModels(only, HARMLESS_ANSWER);
    expect(await run({ trouble: "Offline." }, { models: once })).toMatchObject({
      rescue: { workaround: null },
    });
    expect(once.asked[1]?.messages.at(-1)?.content).toContain("other ways to take cards");
    await expect(run({ trouble: "Offline." }, { models: scriptedModels(only) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });
});
