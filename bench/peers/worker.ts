/** A peer's worker in a process of its own: takes a `PeerAt` over IPC, says when it takes jobs, and ends with its parent's word. */
import { type PeerAt, PEERS } from "./peers.ts";

process.once("disconnect", () => process.exit());
process.once("message", ({ peer, url }: PeerAt) => {
  void PEERS[peer].work(url).then(() => process.send?.("ready"));
});
