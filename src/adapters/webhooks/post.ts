import { request } from "undici";
import type { OutboundRule } from "../../core/outbound/targets.ts";
import { parseTarget } from "../../core/outbound/targets.ts";
import type { PostWebhook } from "../../core/webhooks/sender.ts";
import { createOutboundAgent } from "../outbound/agent.ts";
import { RefusedAddress } from "../outbound/look-up.ts";

/** What is read of an answer, so that the receiver can end it in peace; nothing of it is kept. */
const MAX_ANSWER_BYTES = 65_536;

/** Posts messages to public addresses only. Redirects are not followed: their target was never checked. */
export function createWebhookPost(rule: OutboundRule): { post: PostWebhook; close(): Promise<void> } {
  const dispatcher = createOutboundAgent(rule);
  return {
    post: async ({ url, headers, body, signal }) => {
      const target = parseTarget(url, rule);
      if ("refused" in target) throw new RefusedAddress();
      const answer = await request(target, { method: "POST", headers, body, signal, dispatcher });
      // The status has been said; whatever becomes of the rest changes nothing.
      answer.body.on("error", () => undefined);
      await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
      return answer.statusCode;
    },
    close: () => dispatcher.destroy(),
  };
}
