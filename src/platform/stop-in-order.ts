import closeWithGrace from "close-with-grace";
import { endWithParent } from "./supervision/parent.ts";

/**
 * From now on this process ends in order: on SIGTERM, SIGINT, an error that nobody caught, or when its supervisor is
 * gone; after `limitMs` it ends all the same. Tell the returned function how to close each thing as soon as it is open,
 * for a stop may come in the middle of the start; what was opened last is closed first.
 */
export function stopInOrder(limitMs: number): (close: () => Promise<void>) => void {
  const closings: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= closeAll(closings));
  closeWithGrace({ delay: limitMs, skip: ["beforeExit"] }, async ({ err }) => {
    if (err !== undefined) console.error(err);
    await stop();
  });
  endWithParent(stop);
  return (close) => void closings.push(close);
}

async function closeAll(closings: (() => Promise<void>)[]): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}
