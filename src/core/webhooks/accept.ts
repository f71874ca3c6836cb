import type { Db } from "../db.ts";
import { AppError, invalidInput } from "../errors.ts";
import { type OutboundRule, parseTarget } from "../outbound/targets.ts";
import { hasSecret } from "./secrets.ts";

/**
 * The URL to which a call's end may be posted, from what the caller asks for. Throws `invalid_input` for one to which
 * nothing is sent, `webhook_secret_missing` where there is nothing to sign with.
 */
export async function acceptWebhook(
  db: Db,
  rule: OutboundRule,
  accountId: string,
  text: string,
): Promise<string> {
  const target = parseTarget(text, rule);
  if ("refused" in target) throw invalidInput([{ path: "webhook", message: target.refused }]);
  if (!(await hasSecret(db, accountId))) {
    throw new AppError(
      "webhook_secret_missing",
      "This account has no secret to sign webhooks with. Make one with POST /api/webhooks/secret.",
    );
  }
  return text;
}
