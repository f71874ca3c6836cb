import { quarantined } from "../catalog/availability.ts";
import { unauthorized } from "../accounts/manager.ts";
import { AppError } from "../errors.ts";
import { type Price, showAmount } from "../money.ts";

/** Why the database takes no call: what `authorise_calls` and `settle_calls` answer. */
export type RefusalVerdict =
  | "unauthorized"
  | "mismatch"
  | "quarantined"
  | "spend_limit_reached"
  | "insufficient_funds"
  | "queue_full";

/** What the error of a refused call tells. */
export type Refused = {
  readonly slug: string;
  readonly price: number;
  readonly currency: Price["currency"];
  /** What the account holds, where it is known. */
  readonly balance: number | null;
  readonly buyUrl: string;
  readonly maxQueued: number;
};

/** The error for a call that was refused, uncharged. */
export function refusalOf(verdict: RefusalVerdict, refused: Refused): AppError {
  const { slug, price, currency, balance, buyUrl, maxQueued } = refused;
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
        `This account has ${maxQueued} calls waiting already. Try again when some have ended.`,
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
