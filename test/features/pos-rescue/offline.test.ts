import { describe, expect, it } from "vitest";
import { CIRCUMSTANCES } from "../../../src/features/pos-rescue/circumstances.ts";
import { CardPaymentGuard } from "../../../src/features/pos-rescue/guard.ts";
import { CARD_TROUBLES } from "../../../src/features/pos-rescue/troubles/cards.ts";
import { CONNECTION_TROUBLES } from "../../../src/features/pos-rescue/troubles/connections.ts";
import { DATA_TROUBLES } from "../../../src/features/pos-rescue/troubles/data.ts";
import { DEVICE_TROUBLES } from "../../../src/features/pos-rescue/troubles/devices.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels } from "../../support/model-answers.ts";

const TROUBLES = [...CARD_TROUBLES, ...CONNECTION_TROUBLES, ...DEVICE_TROUBLES, ...DATA_TROUBLES];
const guard = new CardPaymentGuard("unknown", "");
const models = offlineModels();
const small = await testedCapability("pos-rescue");
const large = await testedCapability("pos-rescue-smart");

describe("the table of troubles", () => {
  it.each(TROUBLES)(
    "proposes no other way to take cards: $diagnosis",
    ({ diagnosis, check, plan, cautions, next }) => {
      const texts = [diagnosis, check, ...plan, ...cautions, ...next];
      expect(guard.keep(texts)).toEqual(texts);
      expect(guard.keepSentences(`${diagnosis} ${check}`)).toBe(`${diagnosis} ${check}`);
    },
  );

  it("of circumstances proposes none either", () => {
    const texts = CIRCUMSTANCES.flatMap(({ means, step }) => [means, step]);
    expect(guard.keep(texts)).toEqual(texts);
  });

  it.each([
    ["The receipts come out blank since we changed the roll", /paper/],
    ["Every card is declined since noon", /bank/],
    ["wifi is down and the tills show no connection", /router/],
    ["The cash drawer does not pop open", /pulse|drawer/],
    ["A customer was charged twice for one coffee", /both payments|refund/i],
    ["Kitchen display is out of sync, orders missing", /sync/],
    ["I forgot my password and am locked out", /password/i],
    ["It broke after the update last night", /update/],
    ["Tax rate is wrong on take-away", /tax/i],
    ["We got a chargeback for 80 dollars", /dispute/],
    ["Their contract has an early termination fee", /notice|agreement/],
    ["Screen is frozen on the pay page", /restart/i],
    ["The totals don't match, cash short by 20 at end of day", /difference/],
    ["Barcode scanner beeps but nothing happens", /scan/i],
    ["There is a blackout in our street, no power", /battery|batteries/],
    ["Gift card balance is not read", /voucher|balance/],
    ["Deposits are missing since Monday", /payout|batch/],
    ["Their servers are down says the status page", /incident/],
    ["Wrong price on the lunch menu", /item/],
  ])("knows what to do when: %s", async (trouble, step) => {
    const { rescue } = await small.run({ trouble }, { models });
    expect(rescue.plan.join(" ")).toMatch(step);
    expect(rescue.diagnosis).not.toContain("names no part");
  });
});

it("names the text's own words for a trouble that is not in the table", async () => {
  const { rescue } = await small.run({ trouble: "The gizmo makes a funny noise" }, { models });
  expect(rescue.diagnosis).toContain("gizmo");
});

it("goes deeper on the large tier: other causes, circumstances and their steps", async () => {
  const body = {
    trouble: "Since the update all tills print blank receipts and cards are declined. Customers waiting!",
  };
  const [few, many] = [await small.run(body, { models }), await large.run(body, { models })];
  expect(many.rescue.plan.length).toBeGreaterThan(few.rescue.plan.length);
  expect(many.rescue.diagnosis).toContain("It may also be");
  expect(few.rescue.diagnosis).not.toContain("It may also be");
});

it("puts the name of the system and the code on the screen into the answer", async () => {
  const { rescue } = await small.run({ trouble: "Printer says error E-31", pos: "Lightspeed" }, { models });
  expect(rescue.diagnosis).toContain("E-31");
  expect(rescue.plan.join(" ")).toContain("Lightspeed");
});
