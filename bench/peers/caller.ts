/** A peer's callers in a process of their own: takes a `PeerLoad` over IPC, measures, answers with `Measured`, and ends. */
import { type ClosedLoop, runClosedLoop } from "../closed-loop.ts";
import type { Measured } from "../load.ts";
import { type PeerAt, PEERS } from "./peers.ts";

export type PeerLoad = PeerAt & ClosedLoop;

const TEXT = "hello";

process.once("message", (load: PeerLoad) => {
  void measure(load).then((measured) => process.send?.(measured, () => process.exit()));
});

async function measure({ peer, url, ...loop }: PeerLoad): Promise<Measured> {
  const call = await PEERS[peer].connect(url);
  return await runClosedLoop(loop, async () => {
    if ((await call(TEXT)) !== TEXT) throw new Error("another text came back");
  });
}
