import closeWithGrace from "close-with-grace";
import { endWithParent } from "../../workers/parent.ts";

/**
 * Ends this process in order on SIGTERM, SIGINT, an error that nobody caught, or when its supervisor is gone; after
 * `limitMs` it ends all the same.
 */
export function stopInOrder(stop: () => Promise<void>, limitMs: number): void {
  let stopping: Promise<void> | undefined;
  const once = (): Promise<void> => (stopping ??= stop());
  closeWithGrace({ delay: limitMs }, async ({ err }) => {
    if (err !== undefined) console.error(err);
    await once();
  });
  endWithParent(once);
}
