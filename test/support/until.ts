import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 8_000;

/** Looks again and again until `look` gives something; throws after `withinMs`. */
export async function until<T>(
  look: () => Promise<T | undefined | null | false>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`it did not become true within ${withinMs} ms`);
    await sleep(LOOK_EVERY_MS);
  }
}
