import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 20;
/** For what never comes, and shorter than a test may take; a busy machine is ten times slower than an idle one. */
const PATIENCE_MS = 120_000;

/** Looks again and again until `look` gives something; throws with what `otherwise` says when it never does. */
export async function until<T>(
  look: () => Promise<T> | T,
  otherwise: () => string = () => `it did not become true within ${PATIENCE_MS} ms`,
): Promise<Exclude<T, undefined | null | false>> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false)
      return found as Exclude<T, undefined | null | false>;
    if (performance.now() > giveUpAt) throw new Error(otherwise());
    await sleep(LOOK_EVERY_MS);
  }
}
