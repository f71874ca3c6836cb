import { bullmq } from "./bullmq.ts";
import { graphileWorker } from "./graphile-worker.ts";
import type { Peer } from "./peer.ts";
import { pgBoss } from "./pg-boss.ts";

/** All peers, by their names. */
export const PEERS = {
  "graphile-worker": graphileWorker,
  "pg-boss": pgBoss,
  BullMQ: bullmq,
} as const satisfies Record<string, Peer>;

export type PeerName = keyof typeof PEERS;

/** Which peer is used, and on which server. */
export type PeerAt = { readonly peer: PeerName; readonly url: string };
