import type { createWebhookPost } from "../src/adapters/webhooks/post.ts";
import { OutputStore } from "../src/core/calls/outputs.ts";
import { WebhookSender } from "../src/core/webhooks/sender.ts";
import type { Runtime } from "../src/platform/runtime.ts";

type Poster = ReturnType<typeof createWebhookPost>;

/** Sends outgoing webhooks in this process until stopped. */
export function sendWebhooks({ config, db, store, keyRing, log }: Runtime): {
  stop(drainMs: number): Promise<void>;
} {
  let poster: Promise<Poster> | undefined;
  // Loaded with the first webhook: a platform without any does without the HTTP client's memory.
  const load = async (): Promise<Poster> => {
    const { createWebhookPost } = await import("../src/adapters/webhooks/post.ts");
    return createWebhookPost({ allowPrivate: config.allowPrivateUpstreams });
  };
  const sender = new WebhookSender({
    db,
    outputs: new OutputStore(store),
    keyRing,
    post: async (message) => (await (poster ??= load())).post(message),
    onNoAnswer: (error, callId) => log.info({ err: error, callId }, "no answer to a webhook"),
    onError: (error, callId) => log.warn({ err: error, callId }, "webhooks"),
  });
  sender.start();
  return {
    stop: async (drainMs) => {
      await sender.stop(drainMs);
      await (await poster)?.close();
    },
  };
}
