import type { FastifyReply } from "fastify";
import type { KeyWatch } from "../../core/accounts/key-watch.ts";
import { AppError } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { withoutPatience } from "../../core/patience.ts";
import type { Feeds } from "../../core/streams/feeds.ts";
import type { Quota, StreamQuota } from "../../core/streams/stream-quota.ts";
import type { StreamSource } from "../../core/streams/stream.ts";
import type { EventStreams } from "./sse.ts";

/** What every stream of events stands on. */
export type Streaming = {
  readonly feeds: Feeds;
  readonly quota: StreamQuota;
  readonly keys: KeyWatch;
  readonly open: EventStreams;
};

/**
 * Answers with the events of a stream after `afterSeq`, as they come, until the last one, or until the key is none any
 * more. Throws `too_many_streams`.
 */
export async function followStream(
  { feeds, quota, keys, open }: Streaming,
  reply: FastifyReply,
  stream: {
    readonly source: StreamSource;
    readonly afterSeq: number;
    readonly quota: Quota;
    readonly keyId: string;
  },
): Promise<void> {
  if (open.size >= LIMITS.streamsPerProcess)
    throw new AppError("unavailable", "Too many streams are open here. Try again.");
  const release = await quota.open(stream.quota);
  const key = keys.watch(stream.keyId);
  try {
    const events = open.open(reply);
    void key.lost.then(() => events.cut());
    const leave = withoutPatience(() => feeds.follow(stream.source, stream.afterSeq, events));
    await events.closed;
    leave();
  } finally {
    key.stop();
    release();
  }
}
