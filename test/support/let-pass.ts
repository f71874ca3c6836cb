import { setTimeout as sleep } from "node:timers/promises";

/**
 * Lets time pass: for what must not happen within it, or for what a clock ends. On a busy machine a test that does so sees
 * less, and never too much. What is to happen is waited for with `until`.
 */
export async function letPass(ms: number): Promise<void> {
  await sleep(ms);
}
