import { quarantined } from "../catalog/availability.ts";
import { unauthorized } from "../accounts/manager.ts";
import { AppError } from "../errors.ts";
import { type Price, showAmount } from "../money.ts";
import type { Settlement, Verdict } from "./settle.ts";

/** Why the database takes no call: what `authorise_calls` and `settle_calls` answer. */
export type RefusalVerdict =
  | "unauthorized"
  | "mismatch"
  | "quarantined"
  | "spend_limit_reached"
  | "insufficient_funds"
  | "queue_full";

/** Makes the error for a call that was refused, uncharged; `balance` is what the account holds, where it is known. */
export type Refuse = (
  verdict: RefusalVerdict,
  refused: Pick<Settlement, "slug" | "price" | "currency">,
  balance?: number | null,
) => AppError;

/** What refusals tell of the platform: where money comes from, and how many calls may wait. */
export type RefusalTerms = { readonly buyUrl: string; readonly maxQueuedPerAccount: number };

/** Refusals on these terms. */
export const refusals =
  (terms: RefusalTerms): Refuse =>
  (verdict, refused, balance = null) =>
    refusalOf(verdict, { ...terms, ...refused, balance });

/** Throws where the settling did not take the call. */
export function checkAccepted({ verdict, balance }: Verdict, settlement: Settlement, refuse: Refuse): void {
  if (verdict === "accepted") return;
  if (verdict === "replayed" || verdict === "again") throw new Error(`verdict ${verdict} is no refusal`);
  throw refuse(verdict, settlement, balance);
}

type Refused = RefusalTerms &
  Pick<Settlement, "slug" | "price" | "currency"> & { readonly balance: number | null };

function refusalOf(verdict: RefusalVerdict, refused: Refused): AppError {
  const { slug, price, currency, balance, buyUrl, maxQueuedPerAccount } = refused;
  switch (verdict) {
    case "unauthorized":
      return unauthorized();
    case "mismatch":
      return new AppError(
        "idempotency_mismatch",
        "This Idempotency-Key came with another body or capability before.",
      );
    case "quarantined":
      return quarantined(slug);
    case "spend_limit_reached":
      return new AppError("spend_limit_reached", "This call would exceed the spend limit of its key.");
    case "insufficient_funds":
      return new AppError("insufficient_funds", "The account does not hold the price of this call.", {
        required: showAmount(price, currency),
        balance: showAmount(balance ?? 0, currency),
        currency,
        buy_url: buyUrl,
      });
    case "queue_full":
    default:
      return new AppError(
        "queue_full",
        `This account has ${maxQueuedPerAccount} calls waiting already. Try again when some have ended.`,
      );
  }
}

/** Throws `price_above_max` for what is dearer than the caller said that it may be. */
export function checkMaxPrice({ amount, currency }: Price, maxPrice: number | null): void {
  if (maxPrice === null || amount <= maxPrice) return;
  const [price, max] = [amount, maxPrice].map((each) => showAmount(each, currency));
  throw new AppError("price_above_max", `This call costs ${price} ${currency}, more than Max-Price ${max}.`, {
    price,
    max_price: max,
    currency,
  });
}
